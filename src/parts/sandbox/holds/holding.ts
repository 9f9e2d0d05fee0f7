// Decision: docs/decisions/sandbox.md#nothing-waits-for-a-held-request

import type { Invocable } from "../../../core/api/operations/invoke.ts"
import type { Step } from "../../../core/api/operations/steps.ts"
import type { Caller } from "../../../core/domain/accounts/model.ts"
import type { Awaitable } from "../../../core/kernel/flow/awaitable.ts"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"
import type { HoldFault } from "../faults/contract.ts"
import { refusalAfterReset } from "../gate.ts"
import type { Handling } from "../handling.ts"
import { observedIn } from "../journal/observed.ts"
import type { Holds } from "./holds.ts"

type Operation = Pick<Invocable, "name" | "endpoint">

/** Waits inside an operation without delaying a reset; `recheck` runs when there was one. */
type WaitOutside = (
  waiting: Promise<void>,
  operation: Operation | undefined,
  recheck: () => Awaitable<unknown>,
) => Promise<void>

export type Holding = {
  /** What holds a request or its response, also without an operation; `isRefused` with a problem on demand. Throws the 503 when too many are held. */
  handlingsOf(
    exchange: Exchange<Caller>,
    operation: Operation | undefined,
    hold: HoldFault,
    isRefused: boolean,
  ): readonly Handling[]
  /** Holds received requests: while one is held, its client has nothing left to send. */
  step: Step
}

/** Holds requests before their operations, and responses. */
export function createHolding(holds: Pick<Holds, "enter" | "keep">, wait: WaitOutside): Holding {
  const before =
    (operation: Operation | undefined): Handling =>
    async (exchange, next) => {
      await wait(holds.keep(exchange, "before"), operation, refusedAfterReset)
      if (!exchange.response.destroyed) return next(exchange)
      exchange.isDropped = true
      return disconnected
    }

  const after =
    (operation: Operation | undefined): Handling =>
    async (exchange, next) => {
      const response = await next(exchange)
      await wait(holds.keep(exchange, "after"), operation, () => {})
      return response
    }

  return {
    handlingsOf(exchange, operation, hold, isRefused) {
      holds.enter(exchange)
      const streams = operation?.endpoint.streams
      if (isRefused || (hold === "hold-response" && !streams)) return [after(operation)]
      // A stream reads its request itself, and starts to respond at once; an endpoint of another part reads it too.
      if (!operation || streams) return [before(operation)]
      observedIn(exchange).isHeldBefore = true
      return []
    },
    step(next, operation) {
      const hold = before(operation)
      return (exchange) => (observedIn(exchange).isHeldBefore ? hold(exchange, next, new Map()) : next(exchange))
    },
  }
}

const refusedAfterReset = refusalAfterReset("the request was held")

/** Is not sent: only the log has its status. */
const disconnected = { status: 503, headers: [], body: undefined }
