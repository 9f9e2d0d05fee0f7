import type { Quota } from "../../domain/limits/model.ts"
import { fullness, standingsOf, type Window } from "../../domain/limits/rules.ts"
import type { Limiter, Verdict } from "../../domain/ports/limiter.ts"
import { steadyClock } from "../../kernel/clock.ts"
import { dayMs, minuteMs } from "../memory/tally.ts"
import { admitScript } from "./admit-script.ts"
import { keysOf } from "./keys.ts"
import { type Link, orWhileAway } from "./link.ts"
import type { OwnCounts } from "./own-counts.ts"

/** By account: how many of this process's requests Redis said it had counted, and when it last did, by a steady clock. */
export type Acknowledged = Map<number, { counted: number; at: number }>

type Tools = { link: Link; own: OwnCounts; acknowledged: Acknowledged; runId: string; flush(): Promise<void> }

const acknowledgedMax = 20_000

/** A limiter that counts in Redis, in one round trip; while that is away, it counts a share of each quota here. */
export function redisLimiter({ link, own, acknowledged, runId, flush }: Tools): Limiter & { save(): Promise<void> } {
  async function ask(accountId: number, quota: Quota, counts: 0 | 1) {
    const keys = keysOf(accountId, runId)
    const reply = await link.run(admitScript, [keys.moments, keys.cells, keys.mine], [quota.minute, quota.day, counts])
    return standingIn(reply, quota)
  }

  function acknowledge(accountId: number, counted: number): void {
    acknowledged.delete(accountId)
    acknowledged.set(accountId, { counted, at: steadyClock.now() })
    if (acknowledged.size > acknowledgedMax) acknowledged.delete(acknowledged.keys().next().value as number)
  }

  async function admit(accountId: number, quota: Quota): Promise<Verdict> {
    const { now, counted, windows } = await ask(accountId, quota, 1)
    const standings = standingsOf(windows, now)
    if (counted === 0) return { full: fullness(windows, now), standings }
    acknowledge(accountId, counted)
    own.note(accountId, now)
    return { full: undefined, standings }
  }

  return {
    admit: (accountId, quota) =>
      orWhileAway(admit(accountId, quota), () => own.admit(accountId, quota, Math.floor(link.now()))),
    async standings(accountId, quota) {
      const asking = ask(accountId, quota, 0).then(({ now, windows }) => standingsOf(windows, now))
      return orWhileAway(asking, () => own.standings(accountId, quota, Math.floor(link.now())))
    },
    save: flush,
    close: flush,
  }
}

function standingIn(reply: number[], quota: Quota) {
  const [, now, counted, inMinute, firstMoment, nextMoment, inDay, firstCell, nextCell] = reply as Reply
  const windows: [Window, Window] = [
    windowOf("minute", quota, inMinute, firstMoment + minuteMs, nextMoment + minuteMs),
    windowOf("day", quota, inDay, cellLeavesAt(firstCell), cellLeavesAt(nextCell)),
  ]
  return { now, counted, windows }
}

type Reply = [number, number, number, number, number, number, number, number, number]

/** Only the oldest request, and the one that makes room, are ever asked for. */
const windowOf = (policy: Window["policy"], quota: Quota, used: number, first: number, next: number): Window => ({
  policy,
  quota: quota[policy],
  used,
  leavesAt: (n) => (n === 1 ? first : next),
})

const cellLeavesAt = (minute: number): number => (minute + 1) * minuteMs + dayMs
