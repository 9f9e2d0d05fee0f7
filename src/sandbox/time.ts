import { setImmediate as nextTurn } from "node:timers/promises"
import type { Store } from "../domain/ports/store.ts"
import type { SandboxTime } from "../domain/sandbox/model.ts"
import { lanes } from "../domain/webhooks/model.ts"
import { timestamp } from "../kernel/clock.ts"
import type { SandboxClocks } from "./clock.ts"

/** The worker looks for due deliveries every second. */
const stepMsMin = 1_000
const countedMax = 10_000

type TimeDeps = {
  clocks: SandboxClocks
  store: Store
  worker: { tick(): Promise<void>; idle(): Promise<void>; attempts(): number; isAttempting(): boolean }
  /** Cancels the orders that have expired; returns their number. */
  cancelStaleOrders(): Promise<number>
  /** Removes data that has outlived its retention, and images to which no pet has referred for a day. */
  forgetOld(): Promise<void>
  /** Resolves when an advance has taken its time, and rejects when it is ended before. */
  limitAdvance(ended: AbortSignal): Promise<unknown>
  /** Milliseconds after which an unapproved order is cancelled; undefined for never. */
  placedOrdersMs: number | undefined
}

export function sandboxTime(deps: TimeDeps): SandboxTime {
  const { clocks, store, worker, cancelStaleOrders, forgetOld, limitAdvance, placedOrdersMs } = deps
  const { clock } = clocks
  let advancing: Promise<unknown> = Promise.resolve()
  let waiting = 0
  let ending = new AbortController()

  const read = () => ({ time: timestamp(clock.now()), aheadSeconds: Math.floor(clocks.aheadMs() / 1000) })

  /** When something is due next, in milliseconds; infinity when nothing is. */
  async function nextDueAt(): Promise<number> {
    const webhooks = await Promise.all(lanes.map((lane) => store.deliveries.due(lane, Number.MAX_SAFE_INTEGER, 1)))
    const orders = placedOrdersMs === undefined ? [] : await store.orders.waiting(Number.MAX_SAFE_INTEGER, 1)
    return Math.min(
      ...webhooks.flat().map(({ dueAt }) => dueAt),
      ...orders.map(({ since }) => since + (placedOrdersMs as number) + 1),
    )
  }

  /** Does what is due, and advances to when something else is, until the clock is ahead by so much more. */
  async function advanceBy(ms: number, ended: AbortSignal) {
    const [from, before, goalMs] = [clock.now(), worker.attempts(), clocks.aheadMs() + ms]
    const missingMs = () => goalMs - clocks.aheadMs()
    const over = () => true
    const isOver = limitAdvance(ended).then(over, over)
    let ordersCancelled = 0
    await forgetOld()
    for (;;) {
      ordersCancelled += await cancelStaleOrders()
      await worker.tick()
      const isLate = await Promise.race([isOver, worker.idle().then(() => nextTurn(false))])
      if (isLate || ended.aborted || missingMs() <= 0) break
      clocks.advance(Math.min(missingMs(), Math.max((await nextDueAt()) - clock.now(), stepMsMin)))
    }
    await forgetOld()
    return {
      ...read(),
      isComplete: missingMs() <= 0,
      deliveriesAttempted: worker.attempts() - before,
      keysExpired: await store.keys.countExpiring(from, clock.now(), countedMax),
      ordersCancelled,
    }
  }

  return {
    read,
    async advance(targetFrom) {
      if (waiting > 0 && worker.isAttempting()) return undefined
      const { signal } = ending
      waiting++
      const advanced = advancing.then(() => {
        const now = clock.now()
        return advanceBy(targetFrom(now) - now, signal)
      })
      advancing = advanced.catch(() => undefined)
      return advanced.finally(() => waiting--)
    },
    endAdvances() {
      ending.abort()
      ending = new AbortController()
    },
    inRealTime: clocks.inRealTime,
  }
}
