import { hash } from "node:crypto"
import { type Caller, everyAccount } from "../../domain/accounts/model.ts"
import type { Invalidation } from "../../domain/ports/signals.ts"
import type { Clock } from "../../kernel/clock.ts"
import type { Awaitable } from "../../kernel/flow/awaitable.ts"

const principalsMax = 20_000

/** What a credential of any kind stands for, for as long as it holds. */
export type Principal = {
  caller: Caller
  /** Milliseconds since the epoch from which it holds no longer; undefined for never. */
  expiresAt: number | undefined
  /** Whether a request may come from this address; undefined allows every one. */
  allows?: (address: string) => boolean
  /** Headers that every response carries because the credential is to end: `Deprecation` and `Sunset`. */
  ending?: Readonly<Record<string, string>>
}

type Remembered = { principal: Principal; since: number }
type Last = { kind: CredentialKind; secret: string; known: Remembered; generation: number }
type CredentialKind = "key" | "token"
/** How many credentials were known, and how many were asked storage for. */
export type Lookups = { hits: number; misses: number }

/**
 * Remembers what credentials stand for, the least recently used forgotten first. A signal voids what is remembered of an
 * account, and also what lookups still under way are about to return, for they may have asked before the change. `steady`
 * never jumps, so that nothing is remembered for longer than a signal may go unheard.
 */
export function principalCache(signals: Invalidation, steady: Clock, lookups: Lookups = { hits: 0, misses: 0 }) {
  const remembered = new Map<string, Remembered>()
  const byAccount = new Map<number, Set<string>>()
  /** The last credential of each connection, whose next request then costs no hash. */
  const lastOf = new WeakMap<object, Last>()
  let generation = 0

  signals.listen(({ accountId }) => {
    generation++
    const stale = accountId === everyAccount ? [...remembered.keys()] : (byAccount.get(accountId) ?? [])
    for (const name of stale) forget(name, remembered.get(name) as Remembered)
  })

  function forget(name: string, { principal }: Remembered): void {
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
    const asked = generation
    const since = steady.now()
    lookups.misses++
    const principal = await looking
    if (principal && generation === asked) remember(name, principal, since)
    return principal
  }

  const isFresh = ({ since }: Remembered): boolean => steady.now() - since < signals.unheardMsMax

  /**
   * What a secret stands for: from memory, or by asking `look`. The secret itself is held only as long as the connection
   * it came over; what is looked up by is its SHA-256.
   */
  return (
    kind: CredentialKind,
    secret: string,
    connection: object,
    look: (secret: string, sha256: string) => Promise<Principal | undefined>,
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
    return find(name, look(secret, sha256))
  }
}

/** A change of either account may change what the credential stands for. */
const accountsOf = ({ caller }: Principal) => new Set([caller.account.id, caller.ownerId])
