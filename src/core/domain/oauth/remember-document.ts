import { timestamp } from "../../kernel/clock.ts"
import type { Ports } from "../ports/ports.ts"
import { allScopes } from "../scopes.ts"
import type { OAuthClient } from "./contract.ts"

/** Keeps what a document says of a client that a person has allowed, so that its consents have a name; its tokens need it. */
export const rememberDocument = (
  { store, clock }: Pick<Ports, "store" | "clock">,
  client: Pick<OAuthClient, "clientId" | "name" | "redirectUris">,
): Promise<void> =>
  store.transaction((tx) =>
    tx.oauthClients.putOfDocument({ ...client, scopes: allScopes, createdAt: timestamp(clock.now()) }),
  )
