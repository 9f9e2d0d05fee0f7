import { hash } from "node:crypto"
import type { Caller } from "../../domain/accounts/model.ts"
import type { Invalidation } from "../../domain/ports.ts"
import type { Clock } from "../../kernel/clock.ts"

const grantsMax = 20_000
/** How long a signal that never arrived could matter. */
const keptMs = 60_000

/** What a credential of any kind stands for, for as long as it holds. */
export type Grant = {
  caller: Caller
  /** Milliseconds since the epoch from which it holds no longer; undefined for never. */
  expiresAt: number | undefined
  /** Whether a request may come from this address; undefined allows every one. */
  allows?: (address: string) => boolean
  /** Headers that every answer carries because the credential is to end: `Deprecation` and `Sunset`. */
  ending?: Readonly<Record<string, string>>
}

type Remembered = { grant: Grant; since: number }

/**
 * Remembers what credentials stand for, the least recently used forgotten first. A signal voids what is remembered of an
 * account, and also what lookups still under way are about to answer, for they may have asked before the change.
 */
export function grantCache(signals: Invalidation, clock: Clock) {
  const remembered = new Map<string, Remembered>()
  const byAccount = new Map<number, Set<string>>()
  let generation = 0

  signals.listen(({ accountId }) => {
    generation++
    for (const name of byAccount.get(accountId) ?? []) forget(name, remembered.get(name) as Remembered)
  })

  function forget(name: string, { grant }: Remembered): void {
    remembered.delete(name)
    for (const id of accountsOf(grant)) {
      const names = byAccount.get(id)
      names?.delete(name)
      if (names?.size === 0) byAccount.delete(id)
    }
  }

  function remember(name: string, grant: Grant): void {
    for (const id of accountsOf(grant)) {
      const names = byAccount.get(id)
      if (names) names.add(name)
      else byAccount.set(id, new Set([name]))
    }
    remembered.set(name, { grant, since: clock.now() })
    const [oldest] = remembered
    if (remembered.size > grantsMax && oldest) forget(...oldest)
  }

  /** What a secret stands for: from memory, or by asking `look`. No secret is kept, only its SHA-256. */
  return async (
    kind: "key" | "token",
    secret: string,
    look: (sha256: string) => Promise<Grant | undefined>,
  ): Promise<Grant | undefined> => {
    const sha256 = hash("sha256", secret)
    const name = `${kind} ${sha256}`
    const known = remembered.get(name)
    if (known && Math.abs(clock.now() - known.since) < keptMs) {
      remembered.delete(name)
      remembered.set(name, known)
      return known.grant
    }
    if (known) forget(name, known)
    const asked = generation
    const grant = await look(sha256)
    if (grant && generation === asked) remember(name, grant)
    return grant
  }
}

/** A change of either account may change what the credential stands for. */
const accountsOf = ({ caller }: Grant) => new Set([caller.account.id, caller.ownerId])
