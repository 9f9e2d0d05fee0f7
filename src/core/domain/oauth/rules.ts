import { timestamp } from "../../kernel/clock.ts"
import { blocksWithin } from "../../kernel/network/ip-address.ts"
import { at, problem, type Violation } from "../../kernel/problem.ts"
import type { Bounds, Caller } from "../accounts/model.ts"
import type { Scope } from "../scopes.ts"
import type { OAuthClient, OAuthClientDraft } from "./contract.ts"

/** How long a rotated secret remains valid. */
export const secretOverlapMs = 24 * 60 * 60 * 1000

const clientsMax = 100

export const checkClientLimit = (count: number) =>
  count < clientsMax
    ? count
    : problem("too-many-oauth-clients", `The account has ${count} OAuth clients; delete one that is not used`)

type ClientFields = Pick<OAuthClient, "name" | "type" | "redirectUris" | "scopes" | "idTokenSignedResponseAlg">

/** The client to create from a draft, with defaults and without duplicate scopes. */
export const composeClient = (draft: OAuthClientDraft): ClientFields => ({
  name: draft.name,
  type: draft.type ?? "confidential",
  redirectUris: [...new Set(draft.redirectUris)],
  scopes: [...new Set(draft.scopes)],
  ...(draft.idTokenSignedResponseAlg && { idTokenSignedResponseAlg: draft.idTokenSignedResponseAlg }),
})

/** Violations beyond the schema; `held` are the scopes of the caller, which the client must not exceed. */
export function clientViolations(client: ClientFields, held: ReadonlySet<Scope>): Violation[] {
  const { type, scopes, redirectUris } = client
  const notHeld = (scope: Scope) => `is ${scope}, which your credential lacks`
  return [
    ...scopes.flatMap((scope, n) => (held.has(scope) ? [] : at(`/scopes/${n}`, "scope-not-held", notHeld(scope)))),
    ...redirectUris.flatMap((uri, n) =>
      URL.canParse(uri) ? [] : at(`/redirectUris/${n}`, "wrong-form", "must be a URL"),
    ),
    ...(type === "public" && redirectUris.length === 0
      ? at("/redirectUris", "too-short", "must not be empty for a public client")
      : []),
  ]
}

/** The limits that a new client inherits from the credential that creates it. */
export const limitsOfClient = ({ endsAt, allowedCidrs }: Bounds): Pick<OAuthClient, "expiresAt" | "allowedCidrs"> => ({
  ...(endsAt !== undefined && { expiresAt: timestamp(endsAt) }),
  ...(allowedCidrs.length > 0 && { allowedCidrs: [...allowedCidrs] }),
})

/** Deleting a client requires all its scopes. */
export const checkRemovable = (client: OAuthClient, { scopes }: Pick<Caller, "scopes">) =>
  hasAll(client, scopes) ? client : problem("forbidden", "The client has scopes that your credential lacks")

const hasAll = (client: OAuthClient, held: ReadonlySet<Scope>) => client.scopes.every((scope) => held.has(scope))

/** Changing a client or its secret gives control of it, so it requires its scopes and all its bounds. */
export function checkChangeable<Locked extends { client: OAuthClient; bounds: Bounds }>(
  locked: Locked,
  { scopes, bounds }: Pick<Caller, "scopes" | "bounds">,
) {
  if (!hasAll(locked.client, scopes)) return problem("forbidden", "The client has scopes that your credential lacks")
  if (isWithin(locked.bounds, bounds)) return locked
  return problem("forbidden", "The client outlives your credential, or may be used from more addresses")
}

function isWithin(bounds: Bounds, { userId, endsAt, allowedCidrs }: Bounds): boolean {
  const isNoWider = bounds.allowedCidrs.length > 0 && bounds.allowedCidrs.every(blocksWithin(allowedCidrs))
  return (
    (userId === undefined || bounds.userId === userId) &&
    (endsAt === undefined || (bounds.endsAt !== undefined && bounds.endsAt <= endsAt)) &&
    (allowedCidrs.length === 0 || isNoWider)
  )
}

/** The scopes of a token: those that the client, the person's role and their consent all allow. */
export const effectiveScopes = (...allowing: readonly Iterable<string>[]): Set<Scope> =>
  allowing.map((scopes) => new Set(scopes)).reduce((all, more) => all.intersection(more)) as Set<Scope>
