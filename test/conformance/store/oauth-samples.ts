import type { OAuthClient } from "../../../src/core/domain/oauth/contract.ts"
import type { OAuthRecord } from "../../../src/core/domain/oauth/store.ts"
import type { Store } from "../../../src/core/domain/ports/store.ts"

export const addClient = (
  store: Pick<Store, "transaction">,
  accountId: number,
  clientId: string,
  more: Partial<OAuthClient> & { userId?: number } = {},
): Promise<number> =>
  store.transaction((tx) =>
    tx.oauthClients.add({
      clientId,
      name: "Walker",
      type: "public",
      redirectUris: [],
      scopes: ["read:pets"],
      createdAt: "2026-01-01T00:00:00.000Z",
      accountId,
      ...more,
    }),
  )

export const sampleRecord = (kind: string, hash: string, more: Partial<OAuthRecord>): OAuthRecord => ({
  kind,
  hash,
  uid: undefined,
  grantId: kind === "Grant" ? hash : undefined,
  clientId: "c",
  userId: undefined,
  scope: "",
  json: "{}",
  expiresAt: 1000,
  consumedAt: undefined,
  ...more,
})
