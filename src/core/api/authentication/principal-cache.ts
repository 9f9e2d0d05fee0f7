// Decision: docs/decisions/http.md#principals-have-one-cache

import { hash } from "node:crypto"
import { type Caller, everyAccount } from "../../domain/accounts/model.ts"
import type { Invalidation } from "../../domain/ports/signals.ts"
import type { Clock } from "../../kernel/clock.ts"
import type { Awaitable } from "../../kernel/flow/awaitable.ts"
import type { Lookups } from "../../server/metrics.ts"

const principalsMax = 20_000

export type Principal = {
  caller: Caller
  /** Expiry in milliseconds since the epoch; undefined for never. */
  expiresAt: number | undefined
  /** Whether the credential may be used from this address; undefined allows every address. */
  allows?: (address: string) => boolean
  /** Headers of every response for a credential that is about to expire: `Deprecation` and `Sunset`. */
  ending?: Readonly<Record<string, string>>
}

type CacheEntry = { principal: Principal; since: number }
type LastCredential = { kind: CredentialKind; secret: string; known: CacheEntry; generation: number }
type CredentialKind = "key" | "token"

/**
 * Caches the principals of credentials; evicts the least recently used. A signal drops the entries of its account, and
 * the results of running lookups, which may predate the change. `steady` is monotonic, so that no entry outlives the
 * time a signal may go unheard.
 */
export function createPrincipalCache(signals: Invalidation, steady: Clock, lookups: Lookups = { hits: 0, misses: 0 }) {
  const remembered = new Map<string, CacheEntry>()
  const byAccount = new Map<number, Set<string>>()
  /** The last credential of each connection: its next request then needs no hash. */
  const lastOf = new WeakMap<object, LastCredential>()
  let generation = 0

  signals.listen(({ accountId }) => {
    generation++
    const stale = accountId === everyAccount ? [...remembered.keys()] : (byAccount.get(accountId) ?? [])
    for (const name of stale) forget(name, remembered.get(name) as CacheEntry)
  })

  function forget(name: string, { principal }: CacheEntry): void {
    remembered.delete(name)
    for (const id of accountsOf(principal)) {
      const names = byAccount.get(id)
      names?.delete(name)
      if (names?.size === 0) byAccount.delete(id)
    }
  }

  function remember(name: string, principal: Principal, since: number): void {
    for (const id of accountsOf(principal)) {
      const names = byAccount.get(id)
      if (names) names.add(name)
      else byAccount.set(id, new Set([name]))
    }
    remembered.set(name, { principal, since })
    const [oldest] = remembered
    if (remembered.size > principalsMax && oldest) forget(...oldest)
  }

  async function find(name: string, looking: Promise<Principal | undefined>): Promise<Principal | undefined> {
    const startedAt = generation
    const since = steady.now()
    lookups.misses++
    const principal = await looking
    if (principal && generation === startedAt) remember(name, principal, since)
    return principal
  }

  const isFresh = ({ since }: CacheEntry): boolean => steady.now() - since < signals.maxDelayMs

  /**
   * Finds the principal of a secret in memory or through `lookUp`. The secret itself is held only as long as its
   * connection; the key of the cache is its SHA-256.
   */
  return (
    kind: CredentialKind,
    secret: string,
    connection: object,
    lookUp: (secret: string, sha256: string) => Promise<Principal | undefined>,
  ): Awaitable<Principal | undefined> => {
    const last = lastOf.get(connection)
    if (last && last.secret === secret && last.kind === kind && last.generation === generation && isFresh(last.known)) {
      lookups.hits++
      return last.known.principal
    }
    const sha256 = hash("sha256", secret)
    const name = `${kind} ${sha256}`
    const known = remembered.get(name)
    if (known && isFresh(known)) {
      lookups.hits++
      remembered.delete(name)
      remembered.set(name, known)
      lastOf.set(connection, { kind, secret, known, generation })
      return known.principal
    }
    if (known) forget(name, known)
    return find(name, lookUp(secret, sha256))
  }
}

/** A change of either account may change the principal. */
const accountsOf = ({ caller }: Principal) => new Set([caller.account.id, caller.ownerId])
