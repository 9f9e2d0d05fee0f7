import type { Quota } from "../../domain/limits/model.ts"
import { fullness, standingsOf } from "../../domain/limits/rules.ts"
import type { Cell } from "../../domain/limits/store.ts"
import type { Verdict } from "../../domain/ports/limiter.ts"
import { minuteMs, Tally } from "../memory/tally.ts"

const accountsMax = { known: 5_000, unsent: 20_000 }

/** What this process admitted of an account, and of that what Redis does not know yet. */
export type OwnCounts = ReturnType<typeof ownCounts>

/**
 * Remembers what this process admitted in the last day, of the accounts it saw last, for when Redis is away. Then each of the
 * live replicas admits its share of every quota.
 */
export function ownCounts(liveReplicas: () => number) {
  const known = new Map<number, Tally>()
  const unsent = new Map<number, Tally>()
  let latest = Number.NEGATIVE_INFINITY

  /** The clock of Redis may be set back, and what is remembered is worth less than the order of it. */
  function goOn(at: number): number {
    if (at < latest - minuteMs) {
      known.clear()
      latest = at
    }
    latest = Math.max(latest, at)
    return latest
  }

  function shareOf({ minute, day }: Quota): Quota {
    const replicas = liveReplicas()
    const share = (quota: number) => Math.max(1, Math.floor(quota / replicas))
    return { minute: share(minute), day: share(day) }
  }

  function standings(accountId: number, quota: Quota, now: number) {
    const at = goOn(now)
    const windows = last(known, accountId, accountsMax.known).windows(shareOf(quota), at)
    const own = standingsOf(windows, at)
    return { full: fullness(windows, at), standings: own.map((one) => ({ ...one, quota: quota[one.policy] })) }
  }

  return {
    /** Notes a request that Redis has counted. */
    note(accountId: number, now: number): void {
      const at = goOn(now)
      const tally = last(known, accountId, accountsMax.known)
      tally.windows(unlimited, at)
      tally.add(at)
    },
    /** Counts one more request here, in both windows of the share, or in neither. */
    admit(accountId: number, quota: Quota, now: number): Verdict {
      const before = standings(accountId, quota, now)
      if (before.full) return before
      known.get(accountId)?.add(latest)
      last(unsent, accountId, accountsMax.unsent).add(latest)
      return { full: undefined, standings: standings(accountId, quota, now).standings }
    },
    standings: (accountId: number, quota: Quota, now: number) => standings(accountId, quota, now).standings,
    /** Everything admitted in the last day. */
    all: (): Cell[][] => [...known].map(([accountId, tally]) => tally.cells(accountId)),
    /** What Redis does not know, of up to so many accounts, once. */
    takeUnsent(accounts: number): Cell[][] {
      const taken = [...unsent.entries().take(accounts)]
      for (const [accountId] of taken) unsent.delete(accountId)
      return taken.map(([accountId, tally]) => tally.cells(accountId))
    },
    forgetUnsent: () => unsent.clear(),
    unsent: () => unsent.size,
  }
}

const unlimited = { minute: Number.POSITIVE_INFINITY, day: Number.POSITIVE_INFINITY }

/** The tally of an account, which is then the last to be forgotten. */
function last(tallies: Map<number, Tally>, accountId: number, max: number): Tally {
  const tally = tallies.get(accountId) ?? new Tally()
  tallies.delete(accountId)
  tallies.set(accountId, tally)
  if (tallies.size > max) tallies.delete(tallies.keys().next().value as number)
  return tally
}
