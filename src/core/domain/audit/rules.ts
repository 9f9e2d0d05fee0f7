import { timeIn, timestamp } from "../../kernel/clock.ts"
import { findNearest } from "../../kernel/did-you-mean.ts"
import { inParameter, problem } from "../../kernel/problem.ts"
import type { Caller } from "../accounts/model.ts"
import { auditActions } from "./actions.ts"
import type { AuditQuery } from "./contract.ts"
import type { Actor, AuditFilter, EntryPosition, NewEntry, Reference } from "./model.ts"

/** The actor of a request: the person behind it, or the program. */
export function actorOf(
  caller: Caller | undefined,
  { address, requestId }: { address: string; requestId: string },
): Actor {
  if (!caller) return { principal: "anonymous", address, requestId }
  const { user, account } = caller
  const credential = credentialOf(caller)
  return { principal: user ? `user:${user.id}` : credential, credential, account: account.id, address, requestId }
}

const credentialOf = ({ credential: { kind, id } }: Caller): Reference => `${nounOf[kind]}:${id}`

const nounOf = {
  key: "key",
  session: "session",
  oauthClient: "oauth-client",
  externalIssuer: "external-issuer",
} as const

/** The text of an entry at its position, over which its hash is computed. */
export function composeEntry(entry: NewEntry, { id, at, previous }: EntryPosition): string {
  const { action, principal, credential, account, address, requestId, thing, details } = entry
  const result = action === "login.refused" ? "refused" : "done"
  const who = { principal, credential, account, address, requestId }
  return JSON.stringify({ id, time: timestamp(at), action, result, ...who, thing, details, previous })
}

/** The filter for a query; refused when no index supports it. */
export function chooseEntries({ account, principal, action, thing, since, until }: AuditQuery) {
  const [by, second] = Object.entries({ account, principal, action, thing }).filter(
    ([, wanted]) => wanted !== undefined,
  )
  if (second) {
    const detail = `cannot be combined with ${by?.[0]}: only since and until can be combined with another filter`
    return problem("invalid-parameter", inParameter(second[0], "not-combinable", detail))
  }
  if (action !== undefined && !(auditActions as readonly string[]).includes(action)) {
    const near = findNearest(action, auditActions)
    const detail = `is no action of the audit log${near === undefined ? "" : `; did you mean ${near}?`}`
    return problem("invalid-parameter", inParameter("action", "unknown", detail))
  }
  return {
    by: by as AuditFilter["by"],
    since: since === undefined ? undefined : timeIn(since),
    until: until === undefined ? undefined : timeIn(until),
  }
}
