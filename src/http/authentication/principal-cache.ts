import { hash } from "node:crypto"
import type { Caller } from "../../domain/accounts/model.ts"
import type { Invalidation } from "../../domain/ports.ts"
import type { Awaitable } from "../../kernel/awaitable.ts"
import type { Clock } from "../../kernel/clock.ts"

const principalsMax = 20_000
/** How long a signal that never arrived could matter. */
const keptMs = 60_000

/** What a credential of any kind stands for, for as long as it holds. */
export type Principal = {
  caller: Caller
  /** Milliseconds since the epoch from which it holds no longer; undefined for never. */
  expiresAt: number | undefined
  /** Whether a request may come from this address; undefined allows every one. */
  allows?: (address: string) => boolean
  /** Headers that every answer carries because the credential is to end: `Deprecation` and `Sunset`. */
  ending?: Readonly<Record<string, string>>
}

type Remembered = { principal: Principal; since: number }

/**
 * Remembers what credentials stand for, the least recently used forgotten first. A signal voids what is remembered of an
 * account, and also what lookups still under way are about to answer, for they may have asked before the change.
 */
export function principalCache(signals: Invalidation, clock: Clock) {
  const remembered = new Map<string, Remembered>()
  const byAccount = new Map<number, Set<string>>()
  let generation = 0

  signals.listen(({ accountId }) => {
    generation++
    for (const name of byAccount.get(accountId) ?? []) forget(name, remembered.get(name) as Remembered)
  })

  function forget(name: string, { principal }: Remembered): void {
    remembered.delete(name)
    for (const id of accountsOf(principal)) {
      const names = byAccount.get(id)
      names?.delete(name)
      if (names?.size === 0) byAccount.delete(id)
    }
  }

  function remember(name: string, principal: Principal): void {
    for (const id of accountsOf(principal)) {
      const names = byAccount.get(id)
      if (names) names.add(name)
      else byAccount.set(id, new Set([name]))
    }
    remembered.set(name, { principal, since: clock.now() })
    const [oldest] = remembered
    if (remembered.size > principalsMax && oldest) forget(...oldest)
  }

  async function find(name: string, looking: Promise<Principal | undefined>): Promise<Principal | undefined> {
    const asked = generation
    const principal = await looking
    if (principal && generation === asked) remember(name, principal)
    return principal
  }

  /** What a secret stands for: from memory, or by asking `look`. No secret is kept, only its SHA-256. */
  return (
    kind: "key" | "token",
    secret: string,
    look: (sha256: string) => Promise<Principal | undefined>,
  ): Awaitable<Principal | undefined> => {
    const sha256 = hash("sha256", secret)
    const name = `${kind} ${sha256}`
    const known = remembered.get(name)
    if (known && Math.abs(clock.now() - known.since) < keptMs) {
      remembered.delete(name)
      remembered.set(name, known)
      return known.principal
    }
    if (known) forget(name, known)
    return find(name, look(sha256))
  }
}

/** A change of either account may change what the credential stands for. */
const accountsOf = ({ caller }: Principal) => new Set([caller.account.id, caller.ownerId])
