import type { Operation } from "../../domain/context.ts"
import type { Store } from "../../domain/ports/store.ts"
import { bodyBytesMaxOf, type Endpoint, type Input } from "../../kernel/endpoint.ts"
import { type Awaitable, andThen } from "../../kernel/flow/awaitable.ts"
import type { JsonResponse } from "../../kernel/json/json-response.ts"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { jsonType, xmlType } from "../../kernel/network/media-types.ts"
import type { Admit, Readmit } from "../pipeline/admission.ts"
import type { Exchange, Route } from "../pipeline/exchange.ts"
import { isAdministrative } from "../pipeline/foreign-pages.ts"
import type { LoadShedding } from "../rate-limiting/load-shedding.ts"
import type { UnreadResponses } from "../rate-limiting/unread-responses.ts"
import { readBody, readNoBody } from "../reading/body.ts"
import { chooseXml } from "../reading/content-negotiation.ts"
import { inputReader, type Parameters } from "../reading/read-input.ts"
import { strictHandling } from "../reading/strict-handling.ts"
import type { Incoming } from "../reading/upload.ts"
import type { Aside } from "../sandbox/gate.ts"
import { jsonResponse } from "../writing/json-response.ts"
import { pieceBytes } from "../writing/send-pieces.ts"
import { xmlResponse } from "../writing/xml-response.ts"
import type { idempotency } from "./idempotency.ts"
import { operationRunner, type Running } from "./run-operation.ts"

type OperationParts = Running & {
  store: Store
  load: LoadShedding
  unread: Pick<UnreadResponses, "hold">
  /** Throws unless the caller may begin, before the body is read. */
  admit: Admit
  readmit: Readmit
  once: ReturnType<typeof idempotency>
  receive(exchange: Exchange, upload: NonNullable<Endpoint["upload"]>): Incoming
  /** Where the store can be reset while a body comes in. */
  aside?: Aside
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
  const { ports, store, load, unread, admit, readmit, once, receive, aside } = parts
  const run = operationRunner(endpoint, operation, parts)
  const { readParameters, readBody: readValue } = inputReader(endpoint)
  const requireKnownQuery = strictHandling(endpoint)
  const bytesMax = bodyBytesMaxOf(endpoint)
  const cacheControl = endpoint.conditional && endpoint.method === "GET" ? "private, no-cache" : "no-store"
  const receiveBytes = endpoint.body ? readBody : endpoint.upload ? leaveBody : readNoBody
  const hasXml = endpoint.produces?.includes(xmlType) === true
  const varies = hasXml && cacheControl !== "no-store"
  const respondInJson = jsonResponse(endpoint.status, ports.publicUrl)
  const respondInXml = xmlResponse(endpoint, respondInJson)
  const isMaking = makesOne(endpoint)
  const respond = (exchange: Exchange, result: JsonResponse<unknown>) => {
    if (isMaking) exchange.created = idIn(result.json)
    // Charged here, because writing it as XML, and what a sandbox holds back on request, take time.
    if (result.json.length > pieceBytes) unread.hold(exchange, result.json.length)
    return exchange.isXml ? respondInXml(exchange, result) : respondInJson(exchange, result)
  }

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
    if (!(reading instanceof Promise)) return underLoad({ exchange, parameters, bytes: reading })
    const received = aside ? aside(reading, () => readmitCaller(exchange)) : reading
    return received.then((bytes) => underLoad({ exchange, parameters, bytes }))
  }

  /** After a reset a credential may stand for another caller, or none. */
  async function readmitCaller(exchange: Exchange): Promise<void> {
    if (exchange.caller) exchange.caller = (await readmit(exchange, endpoint)).caller
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
    const { params, query, page } = work.parameters
    const input = { params, query, page, body, upload: undefined } as unknown as Input<Endpoint>
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
    const written = respond(exchange, response)
    if (!isReplayed) return written
    exchange.created = undefined
    exchange.header("idempotency-replayed", "true")
    return written
  }

  return {
    admission: "operation",
    operation: name,
    isAdministrative: isAdministrative(endpoint),
    isUpload: endpoint.upload !== undefined,
    handle,
  }
}

/** Whether each success makes a thing with an id. */
const makesOne = ({ method, params, status, answer }: Endpoint): boolean =>
  method === "POST" && (status === 201 || params === undefined) && "properties" in answer

/** The id that the text of an object begins with, as JSON. */
const idIn = (text: string): string | undefined => /^\{"id":(\d+|"\w+")/.exec(text)?.[1]

const nothing = Buffer.alloc(0)
/** The operation takes in a file itself. */
const leaveBody = () => nothing
