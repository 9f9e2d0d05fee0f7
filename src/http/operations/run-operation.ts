import type { Logger } from "pino"
import type { Operation } from "../../domain/context.ts"
import type { Ports } from "../../domain/ports/ports.ts"
import type { Invalidation } from "../../domain/ports/signals.ts"
import type { Store } from "../../domain/ports/store.ts"
import type { Endpoint, Input } from "../../kernel/endpoint.ts"
import type { Awaitable } from "../../kernel/flow/awaitable.ts"
import { json } from "../../kernel/json/json.ts"
import { JsonResponse } from "../../kernel/json/json-response.ts"
import { type Asking, createContext, type RequestContext } from "./context.ts"

/** What every run of an operation shares. */
export type Running = { ports: Ports & { log: Logger }; signals: Invalidation }

/** Runs an operation for whoever asks; `store` may be inside a transaction. */
type Run = (asking: Asking, store: Store, input: Input<Endpoint>) => Awaitable<JsonResponse<unknown>>

/** Runs the operation of an endpoint; credentials it changed are void before its result is known to anybody. */
export function operationRunner(endpoint: Endpoint, operation: Operation<Endpoint>, { ports, signals }: Running): Run {
  async function settle({ changed }: RequestContext, running: Promise<unknown>): Promise<JsonResponse<unknown>> {
    try {
      return asJsonResponse(await running)
    } finally {
      // A verb may commit a change of credentials and then refuse.
      for (const accountId of changed) await signals.announce({ kind: "credentials-changed", accountId })
    }
  }

  return (asking, store, input) => {
    const requested = createContext(ports, asking, endpoint, store)
    const result = operation(requested.context, input)
    return result instanceof Promise ? settle(requested, result) : asJsonResponse(result)
  }
}

const asJsonResponse = (result: unknown): JsonResponse<unknown> =>
  result instanceof JsonResponse ? result : new JsonResponse(json(result))
