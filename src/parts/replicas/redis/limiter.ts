// Decision: docs/decisions/redis.md#without-redis-each-live-replica-admits-its-share

import type { Quota } from "../../../core/domain/limits/model.ts"
import { fullness, usageOf } from "../../../core/domain/limits/rules.ts"
import type { Limiter, Verdict } from "../../../core/domain/ports/limiter.ts"
import { Admissions } from "./admissions.ts"
import { type Link, orWhileAway } from "./link.ts"
import type { OwnCounts } from "./own-counts.ts"

type Tools = { link: Link; own: OwnCounts; runId: string; flush(): Promise<void> }

/** Counts in Redis, in one round trip; while Redis is unavailable, counts a share of each quota in this process. */
export function redisLimiter({ link, own, runId, flush }: Tools): Limiter {
  const admissions = new Admissions(link.run, runId)

  async function admit(accountId: number, quota: Quota): Promise<Verdict> {
    const { now, counted, windows } = await admissions.count(accountId, quota)
    const usage = usageOf(windows, now)
    if (counted === 0) return { full: fullness(windows, now), usage }
    own.note(accountId, now, counted)
    return { full: undefined, usage }
  }

  return {
    admit: (accountId, quota) =>
      orWhileAway(admit(accountId, quota), () => own.admit(accountId, quota, Math.floor(link.now()))),
    async usage(accountId, quota) {
      const reply = admissions.read(accountId, quota).then(({ now, windows }) => usageOf(windows, now))
      return orWhileAway(reply, () => own.usage(accountId, quota, Math.floor(link.now())))
    },
    flush,
  }
}
