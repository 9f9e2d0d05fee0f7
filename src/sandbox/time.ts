import { setImmediate as nextTurn } from "node:timers/promises"
import type { Store } from "../domain/ports/store.ts"
import type { sandbox } from "../domain/sandbox/contract.ts"
import type { SandboxTime } from "../domain/sandbox/model.ts"
import { lanes } from "../domain/webhooks/model.ts"
import { timestamp } from "../kernel/clock.ts"
import type { ResponseOf } from "../kernel/endpoint/endpoint.ts"
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
  const { clocks, store, worker, cancelStaleOrders, forgetOld, limitAdvance } = deps
  const { clock } = clocks
  let advancing: Promise<unknown> = Promise.resolve()
  let waiting = 0
  let ending = new AbortController()

  /** Does what is due, and advances to when something else is, until the clock has moved by so much. */
  async function advanceBy(ms: number, ended: AbortSignal) {
    const [from, before] = [clock.now(), worker.attempts()]
    let missingMs = ms
    const over = () => true
    const isOver = limitAdvance(ended).then(over, over)
    let ordersCancelled = 0
    await forgetOld()
    for (;;) {
      ordersCancelled += await cancelStaleOrders()
      await worker.tick()
      const isLate = await Promise.race([isOver, worker.idle().then(() => nextTurn(false))])
      if (isLate || ended.aborted || missingMs <= 0) break
      const stepMs = Math.min(missingMs, Math.max((await nextDueAt(deps)) - clock.now(), stepMsMin))
      if (ended.aborted) break
      clocks.advance(stepMs)
      missingMs -= stepMs
    }
    await forgetOld()
    return {
      ...readTime(clocks),
      isComplete: missingMs <= 0 && !ended.aborted,
      deliveriesAttempted: worker.attempts() - before,
      keysExpired: await store.keys.countExpiring(from, clock.now(), countedMax),
      ordersCancelled,
    }
  }

  async function moveTo(targetFrom: (now: number) => number, freeze: boolean | undefined, ended: AbortSignal) {
    const target = targetFrom(clock.now())
    if (freeze && !ended.aborted) clocks.setFrozen(true)
    const moved = await advanceBy(Math.max(target - clock.now(), 0), ended)
    if (freeze === false && !ended.aborted) clocks.setFrozen(false)
    return { ...moved, frozen: clock.isFrozen() }
  }

  return {
    read: () => readTime(clocks),
    async advance(targetFrom, freeze) {
      if (waiting > 0 && worker.isAttempting()) return undefined
      const { signal } = ending
      waiting++
      const advanced = advancing.then(() => moveTo(targetFrom, freeze, signal))
      advancing = advanced.catch(() => undefined)
      return advanced.finally(() => waiting--)
    },
    endAdvances() {
      ending.abort()
      ending = new AbortController()
    },
    fromStart: clocks.fromStart,
  }
}

export const readTime = ({ clock, aheadMs }: SandboxClocks): ResponseOf<typeof sandbox.getClock> => ({
  time: timestamp(clock.now()),
  aheadSeconds: Math.round(aheadMs() / 1000),
  frozen: clock.isFrozen(),
})

/** When something is due next, in milliseconds; infinity when nothing is. */
async function nextDueAt({ store, placedOrdersMs }: Pick<TimeDeps, "store" | "placedOrdersMs">): Promise<number> {
  const webhooks = await Promise.all(lanes.map((lane) => store.deliveries.due(lane, Number.MAX_SAFE_INTEGER, 1)))
  const orders = placedOrdersMs === undefined ? [] : await store.orders.waiting(Number.MAX_SAFE_INTEGER, 1)
  return Math.min(
    ...webhooks.flat().map(({ dueAt }) => dueAt),
    ...orders.map(({ since }) => since + (placedOrdersMs as number) + 1),
  )
}
