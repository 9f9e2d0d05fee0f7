// Decision: docs/decisions/oauth.md#oidc-provider-with-everything-off-that-the-contract-does-not-name

import { hash } from "node:crypto"
import type { Adapter, AdapterPayload } from "oidc-provider"
import type { Actor, NewEntry } from "../../../core/domain/audit/model.ts"
import type { OAuthRecord } from "../../../core/domain/oauth/store.ts"
import type { Ports } from "../../../core/domain/ports/ports.ts"
import type { Invalidation } from "../../../core/domain/ports/signals.ts"
import { DamagedRecord, type Repositories, StoreUnavailable } from "../../../core/domain/ports/store.ts"
import { systemClock } from "../../../core/kernel/clock.ts"
import { issuesExpired, takePendingEntries } from "./acting.ts"
import { errors, Provider } from "./library.ts"

/** Sign-ins and pending consents of one person; the oldest are removed. */
const perPersonMax = 20
const boundedKinds = ["Session", "Interaction"]
const accessTokenKinds = ["AccessToken", "ClientCredentials"]

/**
 * Stores the records of oidc-provider of one kind. Their ids are codes and tokens, so only hashes are stored; a record found by
 * its id gets the id back.
 */
export function recordsAdapter(
  { store, clock }: Pick<Ports, "store" | "clock">,
  signals: Invalidation,
  kind: string,
): Adapter {
  /** Runs a change that returns the affected accounts. Entries that it adds to `entries` go into the audit log in the same transaction. */
  async function change(
    work: (tx: Repositories, entries: NewEntry[], actor: Actor) => Promise<number[]>,
  ): Promise<void> {
    const { actor, noted } = takePendingEntries()
    const changing = store.transaction(async (tx) => {
      const entries = [...noted]
      const accounts = await work(tx, entries, actor)
      if (entries.length > 0) await tx.audit.append(entries, clock.now())
      return accounts
    })
    for (const accountId of await available(changing))
      await signals.announce({ kind: "credentials-changed", accountId })
  }
  const payloadOf = (record: OAuthRecord | undefined, jti?: string): AdapterPayload | undefined =>
    record && record.expiresAt > clock.now()
      ? {
          ...withTimes(JSON.parse(record.json), (seconds) => seconds - aheadSeconds()),
          exp: Math.floor(record.expiresAt / 1000 - aheadSeconds()),
          ...(jti !== undefined && { jti }),
          ...(record.consumedAt !== undefined && { consumed: Math.floor(record.consumedAt / 1000) }),
        }
      : undefined
  // Records have the times of the store's clock; oidc-provider reads the system's.
  const aheadSeconds = () => (clock.now() - systemClock.now()) / 1000
  const read = (id: string) => available(store.oauthRecords.read(kind, hashOf(id)))

  return {
    async upsert(id, payload, expiresIn) {
      if (isForNobody(kind, payload)) return
      const stored = withTimes(payload, (seconds) => seconds + aheadSeconds())
      const seconds = accessTokenKinds.includes(kind) && issuesExpired() ? 0 : (expiresIn as number)
      const record = recordOf(kind, id, stored, clock.now() + seconds * 1000)
      await change(async (tx, entries, actor) => {
        await tx.oauthRecords.put(record)
        if (kind === "Grant") entries.push(...(await consentEntry(tx, id, "consent.given", actor)))
        if (boundedKinds.includes(kind)) await tx.oauthRecords.removeOldest(record, perPersonMax)
        return []
      })
    },
    find: async (id) => payloadOf(await read(id), id),
    findByUid: async (uid) => payloadOf(await available(store.oauthRecords.byUid(kind, uid))),
    // Only the device flow has user codes, and it is disabled.
    findByUserCode: async () => undefined,
    destroy: (id) =>
      change(async (tx, entries, actor) => {
        if (kind === "Grant") entries.push(...(await consentEntry(tx, id, "consent.ended", actor)))
        return tx.oauthRecords.remove(kind, hashOf(id))
      }),
    revokeByGrantId: (grantId) => change((tx) => tx.oauthRecords.removeGrant(grantId, kind)),
    async consume(id) {
      let first = false
      await change(async (tx, entries, actor) => {
        first = await tx.oauthRecords.consume(kind, hashOf(id), clock.now())
        if (first) return []
        // Of two uses one is not by the rightful client, so the whole grant ends (RFC 9700 section 4.14.2).
        const grantId = (await tx.oauthRecords.read(kind, hashOf(id)))?.grantId
        if (grantId === undefined) return []
        entries.push(...(await consentEntry(tx, grantId, "consent.ended", actor)))
        return tx.oauthRecords.removeGrant(grantId)
      })
      if (!first) throw new errors.InvalidGrant("already used")
    },
  }
}

/** The audit entry of a changed consent. The person gives a consent; the actor ends one. */
async function consentEntry(
  tx: Repositories,
  grantId: string,
  action: "consent.given" | "consent.ended",
  by: Actor,
): Promise<NewEntry[]> {
  const consent = await tx.oauthRecords.consentOf(grantId)
  if (!consent) return []
  const { id, userId, clientId } = consent
  const actor: Actor = action === "consent.given" ? { ...by, principal: `user:${userId}` } : by
  return [{ ...actor, action, thing: `consent:${id}`, details: { clientId } }]
}

/**
 * Records that are not stored, so that an anonymous request costs no row: a session before sign-in, and a login interaction,
 * whose data is all in the address of the sign-in page.
 */
const isForNobody = (kind: string, { accountId, prompt }: AdapterPayload): boolean =>
  (kind === "Session" && accountId === undefined) || (kind === "Interaction" && prompt?.name === "login")

const times = ["iat", "iiat", "loginTs", "authTime"] as const

/** A payload whose times, in whole seconds, are moved. */
const withTimes = (payload: AdapterPayload, move: (seconds: number) => number): AdapterPayload => ({
  ...payload,
  ...Object.fromEntries(
    times.flatMap((name) => {
      const seconds = payload[name]
      return typeof seconds === "number" ? [[name, Math.round(move(seconds))]] : []
    }),
  ),
})

const hashOf = (id: string): string => hash("sha256", id)

function recordOf(kind: string, id: string, { jti, ...payload }: AdapterPayload, expiresAt: number): OAuthRecord {
  const { uid, grantId, clientId, session, accountId = session?.accountId, scope } = payload
  return {
    kind,
    hash: hashOf(id),
    uid,
    grantId: kind === "Grant" ? id : grantId,
    clientId,
    userId: accountId === undefined ? undefined : Number(accountId),
    scope: typeof scope === "string" ? scope : "",
    json: JSON.stringify(withoutCookie(payload)),
    expiresAt,
    consumedAt: undefined,
  }
}

/** An interaction quotes the session's cookie, which is not needed and must not reach the database. */
function withoutCookie(payload: AdapterPayload): AdapterPayload {
  if (payload.session === undefined) return payload
  const { cookie, ...session } = payload.session
  return { ...payload, session: session as NonNullable<AdapterPayload["session"]> }
}

/** Reports unavailable storage and a damaged record in the protocol's terms (RFC 6749 section 4.1.2.1). */
export async function available<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof DamagedRecord)
      throw withStatus(new errors.CustomOIDCProviderError("server_error", error.message), 500, error)
    if (!(error instanceof StoreUnavailable)) throw error
    throw unavailable("storage did not respond; try again", { status: 503, retryAfter: 5, cause: error })
  }
}

type Unavailable = { status: number; retryAfter: number; cause: Error }

/** The error of a request that may succeed later. */
export function unavailable(text: string, { status, retryAfter, cause }: Unavailable): Error {
  Provider.ctx?.set("retry-after", String(retryAfter))
  return withStatus(new errors.CustomOIDCProviderError("temporarily_unavailable", text), status, cause)
}

const withStatus = (error: Error, status: number, cause: Error): Error =>
  Object.assign(error, { status, statusCode: status, cause })
