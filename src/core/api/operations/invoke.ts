import type { Logger } from "pino"
import type { Caller } from "../../domain/accounts/model.ts"
import type { AnyInput, AnyOperation } from "../../domain/context.ts"
import type { StreamStart } from "../../domain/events/model.ts"
import type { Ports } from "../../domain/ports/ports.ts"
import type { Invalidation } from "../../domain/ports/signals.ts"
import type { Store } from "../../domain/ports/store.ts"
import { type Endpoint, queryOf } from "../../kernel/endpoint/endpoint.ts"
import { JsonResponse, pageResponse } from "../../kernel/endpoint/json-response.ts"
import { type PageOf, pageLimitDefault } from "../../kernel/endpoint/page.ts"
import type { Awaitable } from "../../kernel/flow/awaitable.ts"
import { createYielder } from "../../kernel/flow/yielder.ts"
import { json } from "../../kernel/json/json.ts"
import type { Problem } from "../../kernel/problem.ts"
import type { IncomingUpload, Parameters } from "../../server/exchange/exchange.ts"
import type { LoadShedding } from "../../server/limits/load-shedding.ts"
import { emptyBody } from "../../server/reading/body.ts"
import { inputReader } from "../../server/reading/read-input.ts"
import { createContext, type RequestContext, type Requester } from "./context.ts"
import { countItems } from "./count-items.ts"
import type { Repeatable, RunIdempotently } from "./idempotency.ts"

export type InvokeParts = {
  ports: Ports & { log: Logger }
  signals: Invalidation
  load: LoadShedding
  runIdempotently: RunIdempotently
  /** Counts a further request of the caller; returns the 429 when the plan is used up. */
  takeFromPlan(caller: Caller, response: Requester): Promise<Problem | undefined>
}

type CallInput = { parameters: Parameters; received: Buffer; upload: IncomingUpload | undefined }

/** An operation of the contract on one store. Routes, event streams, `/v2` and pages all run it this way. */
export type Invocable = {
  name: string
  endpoint: Endpoint
  /** Reads path, query and page; throws the problem of the first that is invalid. Call it before the body is read. */
  readParameters(request: { params: Readonly<Record<string, string | undefined>>; query: string }): Parameters
  /**
   * Reads the body, runs the operation and returns its response. Honours `Idempotency-Key`. Before it returns, caches drop the
   * credentials that the operation changed, and the file of an upload is removed. Checks no scope: admit the caller first.
   */
  invoke(by: Requester, call: CallInput): Awaitable<JsonResponse<unknown>>
  /** Runs an operation that streams; returns where its stream starts. */
  startStream(by: Requester, parameters: Parameters): Promise<StreamStart>
}

/** Binds an operation to a store. */
export function createInvocable(
  name: string,
  endpoint: Endpoint,
  operation: AnyOperation,
  parts: InvokeParts,
): Invocable {
  const { ports, signals, load, runIdempotently, takeFromPlan } = parts
  const { readParameters, readBody } = inputReader(endpoint)

  function readAndRun(by: Requester, call: CallInput): Awaitable<JsonResponse<unknown>> {
    if (call.upload) return runWithUpload(by, call, call.upload)
    const body = readBody(call.received, by.request.headers)
    return body instanceof Promise ? runCounted(by, call, body) : runOnce(by, call, body)
  }

  async function runCounted(by: Requester, call: CallInput, reading: Promise<unknown>) {
    const body = await reading
    const { caller } = by
    if (!endpoint.itemwise || !caller) return runOnce(by, call, body)
    // Before the transaction, which must not wait for the limiter.
    return runOnce(by, call, await countItems(body as unknown[], () => takeFromPlan(caller, by)))
  }

  async function runWithUpload(
    by: Requester,
    call: CallInput,
    incoming: IncomingUpload,
  ): Promise<JsonResponse<unknown>> {
    await using upload = incoming
    return await run(by, ports.store, { ...call.parameters, body: undefined, upload })
  }

  function runOnce(
    by: Requester,
    { parameters, received }: CallInput,
    body: unknown,
  ): Awaitable<JsonResponse<unknown>> {
    const { params, query, page } = parameters
    const input = { params, query, page, body, upload: undefined }
    const { caller } = by
    if (!endpoint.idempotent || !caller) return run(by, ports.store, input)
    return runIdempotently(repeatableOf(endpoint, by, caller, input, received), async (inside) =>
      run(by, inside, input),
    )
  }

  function run(by: Requester, store: Store, input: AnyInput): Awaitable<JsonResponse<unknown>> {
    const requested = createContext(ports, by, endpoint, store)
    const result = operation(requested.context, input)
    return result instanceof Promise ? settle(requested, result) : toResponse(endpoint, result)
  }

  async function settle({ changed }: RequestContext, running: Promise<unknown>): Promise<JsonResponse<unknown>> {
    try {
      return toResponse(endpoint, await running)
    } finally {
      // A verb may commit a change of credentials and then refuse.
      for (const accountId of changed) await signals.announce({ kind: "credentials-changed", accountId })
    }
  }

  const start = (by: Requester, { parameters }: CallInput) =>
    operation(createContext(ports, by, endpoint, ports.store).context, {
      ...parameters,
      body: undefined,
      upload: undefined,
    })

  const work = inTurn(endpoint, readAndRun)
  return {
    name,
    endpoint,
    readParameters,
    invoke: endpoint.waits ? work : (by, call) => underLoad(load, work, by, call),
    startStream: async (by, parameters) =>
      (await underLoad(load, start, by, { parameters, received: emptyBody, upload: undefined })) as StreamStart,
  }
}

/** What makes two requests the same. */
const repeatableOf = (
  { method, path, status }: Endpoint,
  { request }: Requester,
  { ownerId }: Caller,
  { params, query }: AnyInput,
  body: Buffer,
): Repeatable => ({
  request,
  operation: `${method} ${path}`,
  parameters: { params, query },
  body,
  accountId: ownerId,
  status,
})

/** Counts the work as running until it ends. */
function underLoad<T>(load: LoadShedding, work: Work<T>, by: Requester, call: CallInput): Awaitable<T> {
  load.start()
  let working: Awaitable<T> | undefined
  try {
    working = work(by, call)
    return working instanceof Promise ? working.finally(load.end) : working
  } finally {
    if (!(working instanceof Promise)) load.end()
  }
}

type Work<T> = (by: Requester, call: CallInput) => Awaitable<T>

/** Begins a long list in a turn of the event loop of its own: many together would add up. */
function inTurn<T>(endpoint: Endpoint, work: Work<T>): Work<T> {
  if (!("limit" in queryOf(endpoint).properties)) return work
  return (by, call) => {
    const { page, query } = call.parameters
    const { limit = 0 }: { limit?: number } = page ?? query
    return limit > pageLimitDefault
      ? createYielder()
          .next()
          .then(() => work(by, call))
      : work(by, call)
  }
}

function toResponse(endpoint: Endpoint, result: unknown): JsonResponse<unknown> {
  if (result instanceof JsonResponse) return result
  return endpoint.paged ? pageResponse(result as PageOf<unknown>) : new JsonResponse(json(result))
}
