// Decision: docs/decisions/sandbox.md#defects-change-requests-and-responses-never-a-verb

import type { Handle } from "../../core/api/operations/steps.ts"
import type { Caller } from "../../core/domain/accounts/model.ts"
import type { Awaitable } from "../../core/kernel/flow/awaitable.ts"
import type { HttpResponse } from "../../core/kernel/network/http-response.ts"
import type { Exchange } from "../../core/server/exchange/exchange.ts"

/** Handles a request in another way than `next`, the correct one: a fault of a request, or a defect of the sandbox. */
export type Handling = (exchange: Exchange<Caller>, next: Handle, memory: Memory) => Awaitable<HttpResponse | undefined>

/** What handlings remember from one request to the next. */
export type Memory = Map<string, unknown>

/** A step that handles a request as it was decided; undefined for correctly. Of several handlings, the first is the outermost. */
export const handledBy =
  (
    decide: (exchange: Exchange<Caller>) => Awaitable<readonly Handling[]> | undefined,
    memory: () => Memory = () => new Map(),
  ) =>
  (next: Handle): Handle =>
  (exchange) => {
    const decided = decide(exchange)
    if (decided === undefined) return next(exchange)
    return decided instanceof Promise
      ? decided.then((handlings) => nested(handlings, next, memory())(exchange))
      : nested(decided, next, memory())(exchange)
  }

const nested = (handlings: readonly Handling[], next: Handle, memory: Memory): Handle =>
  handlings.reduceRight<Handle>((inner, handling) => (exchange) => handling(exchange, inner, memory), next)
