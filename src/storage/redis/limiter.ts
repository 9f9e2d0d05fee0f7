// Decision: docs/decisions/redis.md#without-redis-each-live-replica-admits-its-share

import type { Quota } from "../../domain/limits/model.ts"
import { fullness, usageOf, type Window } from "../../domain/limits/rules.ts"
import type { Limiter, Verdict } from "../../domain/ports/limiter.ts"
import { dayWindowMs, minuteMs } from "../memory/tally.ts"
import { admitScript, keysOf } from "./limit-scripts.ts"
import { type Link, orWhileAway } from "./link.ts"
import type { OwnCounts } from "./own-counts.ts"

type Tools = { link: Link; own: OwnCounts; runId: string; flush(): Promise<void> }

/** Counts in Redis, in one round trip; while Redis is unavailable, counts a share of each quota in this process. */
export function redisLimiter({ link, own, runId, flush }: Tools): Limiter {
  async function request(accountId: number, quota: Quota, counts: 0 | 1) {
    const keys = keysOf(accountId, runId)
    const reply = await link.run(admitScript, [keys.moments, keys.cells, keys.mine], [quota.minute, quota.day, counts])
    return usageIn(reply, quota)
  }

  async function admit(accountId: number, quota: Quota): Promise<Verdict> {
    const { now, counted, windows } = await request(accountId, quota, 1)
    const usage = usageOf(windows, now)
    if (counted === 0) return { full: fullness(windows, now), usage }
    own.note(accountId, now, counted)
    return { full: undefined, usage }
  }

  return {
    admit: (accountId, quota) =>
      orWhileAway(admit(accountId, quota), () => own.admit(accountId, quota, Math.floor(link.now()))),
    async usage(accountId, quota) {
      const reply = request(accountId, quota, 0).then(({ now, windows }) => usageOf(windows, now))
      return orWhileAway(reply, () => own.usage(accountId, quota, Math.floor(link.now())))
    },
    flush,
  }
}

function usageIn(reply: number[], quota: Quota) {
  const [, now, counted, inMinute, firstMoment, nextMoment, inDay, firstCell, nextCell] = reply as Reply
  const windows: [Window, Window] = [
    windowOf("minute", quota, inMinute, firstMoment + minuteMs, nextMoment + minuteMs),
    windowOf("day", quota, inDay, cellLeavesAt(firstCell), cellLeavesAt(nextCell)),
  ]
  return { now, counted, windows }
}

type Reply = [number, number, number, number, number, number, number, number, number]

/** Callers only use `leavesAt` for the oldest request and for the one that makes space. */
const windowOf = (policy: Window["policy"], quota: Quota, used: number, first: number, next: number): Window => ({
  policy,
  quota: quota[policy],
  used,
  leavesAt: (n) => (n === 1 ? first : next),
})

const cellLeavesAt = (minute: number): number => (minute + 1) * minuteMs + dayWindowMs
