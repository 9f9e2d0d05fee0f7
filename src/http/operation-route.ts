import type { Logger } from "pino"
import type { Operation } from "../domain/context.ts"
import type { Invalidation, Ports, Store } from "../domain/ports.ts"
import { type Awaitable, andThen } from "../kernel/awaitable.ts"
import { bodyBytesMaxOf, type Endpoint, type Input } from "../kernel/endpoint.ts"
import type { HttpResponse } from "../kernel/http-response.ts"
import { json } from "../kernel/json.ts"
import { JsonResponse } from "../kernel/json-response.ts"
import { jsonType, xmlType } from "../kernel/media-types.ts"
import type { Admit } from "./admission.ts"
import { createContext, type RequestContext } from "./context.ts"
import type { Exchange, Route } from "./exchange.ts"
import { readBody, readNoBody } from "./messages/body.ts"
import { chooseXml } from "./messages/content-negotiation.ts"
import type { idempotency } from "./messages/idempotency.ts"
import { jsonResponse } from "./messages/json-response.ts"
import { inputReader, type Parameters } from "./messages/read-input.ts"
import { strictHandling } from "./messages/strict-handling.ts"
import type { Incoming } from "./messages/upload.ts"
import { xmlResponse } from "./messages/xml-response.ts"
import type { LoadShedding } from "./rate-limiting/load-shedding.ts"
import { isAdministrative } from "./routes/foreign-pages.ts"

type OperationParts = {
  ports: Ports & { log: Logger }
  store: Store
  signals: Invalidation
  load: LoadShedding
  /** Throws unless the caller may begin, before the body is read. */
  admit: Admit
  once: ReturnType<typeof idempotency>
  receive(exchange: Exchange, upload: NonNullable<Endpoint["upload"]>): Incoming
}

/** What one request brings to its operation. */
type Work = { exchange: Exchange; parameters: Parameters; bytes: Buffer }

/** The route of an endpoint: admitted, read, performed, and the result written as JSON. */
export function operationRoute(
  name: string,
  endpoint: Endpoint,
  operation: Operation<Endpoint>,
  parts: OperationParts,
): Route {
  const { ports, store, signals, load, admit, once, receive } = parts
  const { readParameters, readBody: readValue } = inputReader(endpoint)
  const requireKnownQuery = strictHandling(endpoint)
  const bytesMax = bodyBytesMaxOf(endpoint)
  const cacheControl = endpoint.conditional && endpoint.method === "GET" ? "private, no-cache" : "no-store"
  const receiveBytes = endpoint.body ? readBody : endpoint.upload ? leaveBody : readNoBody
  const hasXml = endpoint.produces?.includes(xmlType) === true
  const varies = hasXml && cacheControl !== "no-store"
  const respondInJson = jsonResponse(endpoint.status, ports.publicUrl)
  const respondInXml = xmlResponse(endpoint.answer, respondInJson)
  const respond = (exchange: Exchange, result: JsonResponse<unknown>) =>
    exchange.isXml ? respondInXml(exchange, result) : respondInJson(exchange, result)

  const handle = (exchange: Exchange) => {
    exchange.header("cache-control", cacheControl)
    if (varies) exchange.header("vary", "accept")
    return andThen(exchange, admit(exchange, endpoint), begin)
  }

  function begin(exchange: Exchange): Awaitable<HttpResponse> {
    const { accept } = exchange.request.headers
    if (accept !== undefined && accept !== jsonType) exchange.isXml = chooseXml(accept, hasXml)
    requireKnownQuery(exchange)
    const parameters = readParameters(exchange)
    const reading = receiveBytes(exchange.request, bytesMax)
    return reading instanceof Promise
      ? reading.then((bytes) => underLoad({ exchange, parameters, bytes }))
      : underLoad({ exchange, parameters, bytes: reading })
  }

  function underLoad(work: Work): Awaitable<HttpResponse> {
    load.begin()
    let performing: Awaitable<HttpResponse> | undefined
    try {
      performing = perform(work)
    } finally {
      if (!(performing instanceof Promise)) load.end()
    }
    return performing instanceof Promise ? performing.finally(load.end) : performing
  }

  function perform(work: Work): Awaitable<HttpResponse> {
    if (endpoint.upload) return performUpload(work)
    const body = readValue(work.bytes, work.exchange.request.headers)
    return body instanceof Promise ? body.then((read) => performWith(work, read)) : performWith(work, body)
  }

  function performWith(work: Work, body: unknown): Awaitable<HttpResponse> {
    const input = { ...work.parameters, body, upload: undefined } as unknown as Input<Endpoint>
    if (endpoint.idempotent && work.exchange.caller) return performOnce(work, input)
    return andThen(work.exchange, run(work.exchange, store, input), respond)
  }

  /** What an upload left on the disk is gone before the response is written. */
  async function performUpload({ exchange, parameters }: Work): Promise<HttpResponse> {
    await using upload = receive(exchange, endpoint.upload as NonNullable<Endpoint["upload"]>)
    return respond(
      exchange,
      await run(exchange, store, { ...parameters, body: undefined, upload } as unknown as Input<Endpoint>),
    )
  }

  async function performOnce({ exchange, bytes }: Work, input: Input<Endpoint>): Promise<HttpResponse> {
    const { ownerId: accountId } = exchange.caller as NonNullable<Exchange["caller"]>
    const repeatable = { exchange, body: bytes, accountId, status: endpoint.status }
    const { response, isReplayed } = await once(repeatable, async (inside) => run(exchange, inside, input))
    if (isReplayed) exchange.header("idempotency-replayed", "true")
    return respond(exchange, response)
  }

  /** Runs the operation; credentials it changed are void before its result is known to anybody. */
  function run(exchange: Exchange, within: Store, input: Input<Endpoint>): Awaitable<JsonResponse<unknown>> {
    const requested = createContext(ports, exchange, endpoint, within)
    const result = operation(requested.context, input)
    if (result instanceof Promise) return settle(requested, result)
    return asJsonResponse(result)
  }

  async function settle({ changed }: RequestContext, running: Promise<unknown>): Promise<JsonResponse<unknown>> {
    try {
      return asJsonResponse(await running)
    } finally {
      // A verb may commit a change of credentials and then refuse.
      for (const accountId of changed) await signals.announce({ kind: "credentials-changed", accountId })
    }
  }

  return {
    admission: "operation",
    operation: name,
    isAdministrative: isAdministrative(endpoint),
    isUpload: endpoint.upload !== undefined,
    handle,
  }
}

const nothing = Buffer.alloc(0)
/** The operation takes in a file itself. */
const leaveBody = () => nothing

const asJsonResponse = (result: unknown): JsonResponse<unknown> =>
  result instanceof JsonResponse ? result : new JsonResponse(json(result))
