import { onDemand } from "../../kernel/flow/on-demand.ts"
import type { Measured } from "../../kernel/measure.ts"
import { deliveryOf } from "./delivery.ts"
import { deliveryMetrics } from "./metrics.ts"
import { type AllowedTargets, addressGuard, guardTargets } from "./sending/address-guard.ts"
import type { DecorateSending, DeliveryDeps } from "./sending/attempt.ts"
import { guardedFetch } from "./sending/guarded-fetch.ts"
import type { Resolve } from "./sending/resolve-name.ts"
import { openWebhookSender, type Sender, type Timeouts } from "./sending/send.ts"
import { wakingOf } from "./waking.ts"

export type DeliveryWorkerDeps = Omit<DeliveryDeps, "count" | "send"> & {
  /** Sends in another way. */
  decorate?: DecorateSending | undefined
  /** Targets allowed besides https to public addresses. */
  allowed: AllowedTargets
  resolve: Resolve
  timeouts?: Timeouts
}

/** Creates the worker that delivers events to webhooks, and the port that checks their URLs. */
export function createDelivery(deps: DeliveryWorkerDeps) {
  const guard = addressGuard(deps.allowed, deps.resolve)
  return {
    targets: { ...guardTargets(guard), fetch: guardedFetch(guard) },
    worker: createDeliveryWorker(deps, openWebhookSender(guard, deps.realClock, deps.timeouts)),
  }
}

export type DeliveryWorker = Measured & {
  /** The number of attempts made so far. */
  attempts(): number
  isAttempting(): boolean
  /** Publishes committed events and starts every due attempt that has capacity. */
  tick(): Promise<void>
  /** Ticks after every commit that may have made a delivery due, and every second. */
  start(): void
  /** Resolves when no tick and no attempt is running, and none can follow from earlier commits. */
  idle(): Promise<void>
  /** Aborts running attempts, releases their claims, and starts none until the returned function is called. */
  pause(): Promise<() => void>
  /** Starts no more attempts, waits for running ones until `deadline` aborts them, and closes connections. */
  drain(deadline: AbortSignal): Promise<void>
}

/** Several workers, in several processes, share the work; none starts an attempt at what another may attempt. */
export function createDeliveryWorker(
  deps: Omit<DeliveryWorkerDeps, "allowed" | "resolve">,
  sender: Sender,
): DeliveryWorker {
  const { store, clock, log } = deps
  const { decorate = plainSending } = deps
  const send = decorate(sender)
  const { count, metrics } = deliveryMetrics(store, clock, {
    underWay: () => delivery.running.size,
    settling: () => delivery.settling(),
  })
  let attempts = 0
  const counted: typeof count = (outcome) => {
    attempts++
    count(outcome)
  }
  const delivery = deliveryOf({ ...deps, send, count: counted }, () => ticking.ask())
  const ticking = onDemand(() =>
    tick().catch((error: unknown) => log.error({ err: error }, "due deliveries could not be read")),
  )
  const waking = wakingOf(store, () => ticking.ask())
  let ending = new AbortController()
  let isHeld = false

  async function tick(): Promise<void> {
    if (isHeld) return
    const isShortOfCapacity = await delivery.startDue(() => !isHeld, ending.signal)
    if (isShortOfCapacity && !isHeld) waking.soon()
  }

  async function idle(): Promise<void> {
    while (waking.asking.size > 0 || ticking.underWay() || delivery.running.size > 0)
      await Promise.all([...waking.asking, ticking.underWay(), ...delivery.running.values()])
  }

  return {
    metrics,
    attempts: () => attempts,
    isAttempting: () => [...delivery.running.keys()].some(({ isHeld }) => !isHeld),
    tick,
    start: waking.start,
    idle,
    async pause() {
      isHeld = true
      ending.abort()
      await idle()
      return () => {
        ending = new AbortController()
        isHeld = false
        ticking.ask()
      }
    },
    async drain(deadline) {
      isHeld = true
      waking.close()
      if (deadline.aborted) ending.abort()
      else deadline.addEventListener("abort", () => ending.abort(), { once: true })
      await idle()
      await sender.close()
    },
  }
}

const plainSending: DecorateSending = (sender) => (message, signal) => sender.post(message.sign(), signal)
