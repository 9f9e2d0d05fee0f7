// Decision: docs/decisions/redis.md#a-request-is-counted-once-even-when-its-reply-is-lost

import type { Quota } from "../../../core/domain/limits/model.ts"
import { fullness, usageOf } from "../../../core/domain/limits/rules.ts"
import type { Cell } from "../../../core/domain/limits/store.ts"
import type { Verdict } from "../../../core/domain/ports/limiter.ts"
import { steadyClock } from "../../../core/kernel/clock.ts"
import { keepNewest } from "../../../core/memory/keep-newest.ts"
import { minuteMs, Tally } from "../../../core/memory/tally.ts"

const accountsMax = { known: 5_000, acknowledged: 20_000, unsent: 20_000 }
const countedForgottenMs = 600_000

/** The requests that this process admitted, and those of them that Redis does not know. */
export type OwnCounts = {
  /** Records a request that Redis has counted, as number `counted` of this process. */
  note(accountId: number, now: number, counted: number): void
  /** The number of this process's requests that Redis has counted. Redis forgets it when it has counted none for a while. */
  acknowledged(accountId: number): number
  /** Counts one more request here, in both windows of the share, or in neither. */
  admit(accountId: number, quota: Quota, now: number): Verdict
  usage(accountId: number, quota: Quota, now: number): Verdict["usage"]
  /** Everything admitted in the last day. */
  all(): Cell[][]
  /** Returns and forgets what Redis does not know, of up to so many accounts. */
  takeUnsent(accounts: number): Cell[][]
  /** Redis lost its data: it knows nothing any more, and `all` is to be sent instead of what was left. */
  useOtherData(): void
  /** The number of accounts with requests that Redis does not know. */
  unsent(): number
}

/** Records what this process admitted in the last day; without Redis each live replica admits its share of every quota. */
export function ownCounts(liveReplicas: () => number, onAdmitted: (accountId: number, at: number) => void): OwnCounts {
  const known = new Map<number, Tally>()
  const unsent = new Map<number, Tally>()
  /** By account: the number of this process's requests that Redis reported as counted, and when by a steady clock. */
  const acknowledged = new Map<number, { counted: number; at: number }>()
  let latest = Number.NEGATIVE_INFINITY

  /** Discards the records when the clock of Redis is set back, because they would be out of order. */
  function advance(at: number): number {
    if (at < latest - minuteMs) {
      known.clear()
      latest = at
    }
    latest = Math.max(latest, at)
    return latest
  }

  function shareOf({ minute, day }: Quota): Quota {
    const share = (quota: number) => Math.max(1, Math.floor(quota / liveReplicas()))
    return { minute: share(minute), day: share(day) }
  }

  function usage(accountId: number, quota: Quota, now: number) {
    const at = advance(now)
    const windows = tallyOf(known, accountId, accountsMax.known).windows(shareOf(quota), at)
    const own = usageOf(windows, at)
    return { full: fullness(windows, at), usage: own.map((one) => ({ ...one, quota: quota[one.policy] })) }
  }

  function add(accountId: number, at: number): void {
    tallyOf(known, accountId, accountsMax.known).add(at)
    onAdmitted(accountId, at)
  }

  return {
    note(accountId, now, counted) {
      keepNewest(acknowledged, accountId, { counted, at: steadyClock.now() }, accountsMax.acknowledged)
      const at = advance(now)
      tallyOf(known, accountId, accountsMax.known).forget(at)
      add(accountId, at)
    },
    acknowledged(accountId) {
      const { counted, at } = acknowledged.get(accountId) ?? { counted: 0, at: 0 }
      return steadyClock.now() - at < countedForgottenMs ? counted : 0
    },
    admit(accountId, quota, now) {
      const before = usage(accountId, quota, now)
      if (before.full) return before
      add(accountId, latest)
      tallyOf(unsent, accountId, accountsMax.unsent).add(latest)
      return { full: undefined, usage: usage(accountId, quota, now).usage }
    },
    usage: (accountId, quota, now) => usage(accountId, quota, now).usage,
    all: () => [...known].map(([accountId, tally]) => tally.cells(accountId)),
    takeUnsent(accounts) {
      const taken = [...unsent.entries().take(accounts)]
      for (const [accountId] of taken) unsent.delete(accountId)
      return taken.map(([accountId, tally]) => tally.cells(accountId))
    },
    useOtherData() {
      unsent.clear()
      acknowledged.clear()
    },
    unsent: () => unsent.size,
  }
}

const tallyOf = (tallies: Map<number, Tally>, accountId: number, max: number): Tally =>
  keepNewest(tallies, accountId, tallies.get(accountId) ?? new Tally(), max)
