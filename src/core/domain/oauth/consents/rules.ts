import { timestamp } from "../../../kernel/clock.ts"
import { problem } from "../../../kernel/problem.ts"
import type { Caller } from "../../accounts/model.ts"
import type { Consent } from "./contract.ts"
import type { Scoped, StoredConsent } from "./model.ts"

/** The person whose consents the caller may see and end: the signed-in person only. */
export const requirePerson = ({ user, credential }: Caller) =>
  user && credential.kind === "session"
    ? user
    : problem("session-required", "Log in with POST /user/login: people can see and end only their own consents")

/** Scopes beyond the person's role were rejected when they consented. */
export function showConsent({ id, clientId, clientName, grant, expiresAt }: StoredConsent): Consent {
  const { iat, openid, rejected } = grant
  const refused = scopesIn(rejected?.openid)
  return {
    id,
    clientId,
    clientName,
    scopes: scopesIn(openid).filter((scope) => !refused.includes(scope)),
    givenAt: timestamp(iat * 1000),
    expiresAt: timestamp(expiresAt),
  }
}

const scopesIn = (granted: Scoped | undefined): string[] => granted?.scope?.split(" ") ?? []
