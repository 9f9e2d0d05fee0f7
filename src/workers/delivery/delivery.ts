import type { Logger } from "pino"
import type { Database, Sealing, Targets } from "../../domain/ports.ts"
import type { Clock } from "../../kernel/clock.ts"
import type { Tracer } from "../../kernel/trace.ts"
import { type Allowed, addressGuard, type Resolve } from "./address-guard.ts"
import { createDeliveryWorker, type DeliveryWorker } from "./scheduler.ts"
import { createSender, type Timeouts } from "./send.ts"
import { guardTargets } from "./targets.ts"

export type DeliveryOptions = {
  store: Database
  clock: Clock
  sealing: Sealing
  log: Logger
  /** What may be sent to apart from https to public addresses. */
  allowed: Allowed
  /** How host names are resolved, instead of by the system. */
  resolve?: Resolve
  timeouts?: Timeouts
  tracer?: Tracer | undefined
  /** From 0 up to 1, for the jitter of waits. */
  random?: () => number
}

/** Makes the worker that sends events to webhooks, and the port that tells where something may be sent. */
export function createDelivery(options: DeliveryOptions): { targets: Targets; worker: DeliveryWorker } {
  const guard = addressGuard(options.allowed, options.resolve)
  return {
    targets: guardTargets(guard),
    worker: createDeliveryWorker({ ...options, sender: createSender(guard, options.clock, options.timeouts) }),
  }
}
