import type { Logger } from "pino"
import type { Database, Sealing, Targets } from "../../domain/ports.ts"
import type { Clock } from "../../kernel/clock.ts"
import { type Allowed, addressGuard, type Resolve } from "./address-guard.ts"
import { type DeliveryWorker, deliveryWorker } from "./scheduler.ts"
import { sender, type Timeouts } from "./send.ts"
import { guardedTargets } from "./targets.ts"

export type DeliveryOptions = {
  store: Database
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
  targets: Targets
  worker: DeliveryWorker
}

export function delivery(options: DeliveryOptions): Delivery {
  const guard = addressGuard(options.allowed, options.resolve)
  return {
    targets: guardedTargets(guard),
    worker: deliveryWorker({ ...options, sender: sender(guard, options.clock, options.timeouts) }),
  }
}
