import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises"
import type { OpenStore } from "../../../core/assembly/part.ts"
import type { Retention } from "../../../core/domain/policy.ts"
import type { Store } from "../../../core/domain/ports/store.ts"
import { lanes } from "../../../core/domain/webhooks/model.ts"
import { timestamp } from "../../../core/kernel/clock.ts"
import type { ResponseOf } from "../../../core/kernel/endpoint/endpoint.ts"
import type { ChoreDeps } from "../../../core/workers/chore.ts"
import { cancelStaleOrders, forgetOld } from "../../../core/workers/forget-old.ts"
import { deleteUnreferenced } from "../../../core/workers/sweep-images.ts"
import type { sandbox } from "../contract.ts"
import type { SandboxTime } from "../model.ts"
import type { SandboxClocks } from "./clock.ts"

/** The worker looks for due deliveries every second. */
const stepMsMin = 1_000
/** An advance waits so long for attempts that began before it. */
const attemptMsMax = 2_000
const countedMax = 10_000

/** The time of a named sandbox. `limitAdvance` resolves when an advance has taken its time, and rejects when it is ended before. */
export function createSandboxTime(
  clocks: SandboxClocks,
  { ports, worker }: OpenStore,
  retention: Retention,
  limitAdvance: (ended: AbortSignal) => Promise<unknown>,
): SandboxTime {
  const { store } = ports
  const { clock } = clocks
  const kept = { ...ports, retention }
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
    await removeOld(kept)
    for (;;) {
      ordersCancelled += await cancelStaleOrders(kept)
      await worker.tick()
      const isLate = await Promise.race([isOver, worker.idle().then(() => nextTurn(false))])
      if (isLate || ended.aborted || missingMs <= 0) break
      const stepMs = Math.min(
        missingMs,
        Math.max((await nextDueAt(store, retention.placedOrders)) - clock.now(), stepMsMin),
      )
      if (ended.aborted) break
      clocks.advance(stepMs)
      missingMs -= stepMs
    }
    await removeOld(kept)
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

  /** Whether the attempts that run end soon. One that does not may be that of a receiver which waits for this advance. */
  const endsSoon = (): Promise<boolean> =>
    Promise.race([worker.idle().then(() => true), sleep(attemptMsMax, false, { ref: false })])

  return {
    read: () => readTime(clocks),
    async advance(targetFrom, freeze) {
      if (worker.isAttempting() && (waiting > 0 || !(await endsSoon()))) return undefined
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

/** Removes data that has outlived its retention, and images to which no pet has referred for a day. */
async function removeOld(kept: Pick<ChoreDeps, "store" | "clock" | "blobs" | "retention">): Promise<void> {
  await forgetOld(kept)
  await deleteUnreferenced(kept.store, kept.blobs, kept.clock.now())
}

/** When something is due next, in milliseconds; infinity when nothing is. */
async function nextDueAt(store: Store, placedOrdersMs: number | undefined): Promise<number> {
  const webhooks = await Promise.all(lanes.map((lane) => store.deliveries.due(lane, Number.MAX_SAFE_INTEGER, 1)))
  const orders = placedOrdersMs === undefined ? [] : await store.orders.waiting(Number.MAX_SAFE_INTEGER, 1)
  return Math.min(
    ...webhooks.flat().map(({ dueAt }) => dueAt),
    ...orders.map(({ since }) => since + (placedOrdersMs as number) + 1),
  )
}
