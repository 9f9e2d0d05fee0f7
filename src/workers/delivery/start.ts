import type { Logger } from "pino"
import type { Sealing, Store, Targets } from "../../domain/ports.ts"
import type { Clock } from "../../kernel/clock.ts"
import { type Allowed, addressGuard, type Resolve } from "./address-guard.ts"
import { type DeliveryWorker, deliveryWorker } from "./scheduler.ts"
import { sender, type Timeouts } from "./send.ts"
import { guardedTargets } from "./targets.ts"
import { wakeUp, waking } from "./wake.ts"

export type DeliveryOptions = {
  store: Store
  clock: Clock
  sealing: Sealing
  log: Logger
  /** What may be sent to apart from https to public addresses. */
  allowed: Allowed
  resolve?: Resolve
  timeouts?: Timeouts
  random?: () => number
}

/** Delivery of events, and what the rest of the service needs to know of it. */
export type Delivery = {
  /** The store that sets delivery to work with every commit that concerns it. */
  store: Store
  targets: Targets
  worker: DeliveryWorker
  start(): void
}

export function delivery(options: DeliveryOptions): Delivery {
  const guard = addressGuard(options.allowed, options.resolve)
  const wake = wakeUp()
  const worker = deliveryWorker({ ...options, sender: sender(guard, options.clock, options.timeouts) })
  return {
    store: waking(options.store, wake),
    targets: guardedTargets(guard),
    worker,
    start: () => worker.start(wake),
  }
}
