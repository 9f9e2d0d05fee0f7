import { bodyBytesMaxOf, type Endpoint } from "../../kernel/endpoint.ts"
import { type Awaitable, andThen } from "../../kernel/flow/awaitable.ts"
import type { JsonResponse } from "../../kernel/json/json-response.ts"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { jsonType, xmlType } from "../../kernel/network/media-types.ts"
import type { UnreadResponses } from "../../server/limits/unread-responses.ts"
import type { Exchange, HttpRoute } from "../../server/pipeline/exchange.ts"
import { isAdministrative } from "../../server/pipeline/foreign-pages.ts"
import { readNoBody, readRequestBody } from "../../server/reading/body.ts"
import { chooseXml } from "../../server/reading/content-negotiation.ts"
import type { Parameters } from "../../server/reading/read-input.ts"
import { strictHandling } from "../../server/reading/strict-handling.ts"
import type { IncomingUpload } from "../../server/reading/upload.ts"
import { jsonResponse } from "../../server/writing/json-response.ts"
import { pieceBytes } from "../../server/writing/send-pieces.ts"
import { xmlResponse } from "../../server/writing/xml-response.ts"
import type { Admit, Readmit } from "../admission/admission.ts"
import type { Aside } from "../sandbox/gate.ts"
import type { Invocable } from "./invoke.ts"

export type RouteDeps = {
  publicUrl(): string
  unread: Pick<UnreadResponses, "hold">
  /** Throws unless the caller is admitted. Runs before the body is read. */
  admit: Admit
  readmit: Readmit
  receive(exchange: Exchange, upload: NonNullable<Endpoint["upload"]>): IncomingUpload
  /** Lets the store be reset while a body is received. */
  aside?: Aside
}

/** The route of an operation: admitted, read, invoked, and the result written as JSON or XML. */
export function operationRoute({ name, endpoint, readParameters, invoke }: Invocable, deps: RouteDeps): HttpRoute {
  const { admit, readmit, receive, aside } = deps
  const requireKnownQuery = strictHandling(endpoint)
  const bytesMax = bodyBytesMaxOf(endpoint)
  const cacheControl = cacheControlOf(endpoint)
  const receiveBytes = endpoint.body ? readRequestBody : endpoint.upload ? leaveBody : readNoBody
  const hasXml = endpoint.produces?.includes(xmlType) === true
  const varies = hasXml && cacheControl !== "no-store"
  const respond = responder(endpoint, cacheControl, deps)

  const handle = (exchange: Exchange) => {
    if (varies) exchange.header("vary", "accept")
    return andThen(exchange, admit(exchange, endpoint), readAndInvoke)
  }

  function readAndInvoke(exchange: Exchange): Awaitable<HttpResponse> {
    const { accept } = exchange.request.headers
    if (accept !== undefined && accept !== jsonType) exchange.isXml = chooseXml(accept, hasXml)
    requireKnownQuery(exchange)
    const parameters = readParameters(exchange)
    const reading = receiveBytes(exchange.request, bytesMax)
    if (!(reading instanceof Promise)) return perform(exchange, parameters, reading)
    const received = aside ? aside(reading, () => readmitCaller(exchange)) : reading
    return received.then((bytes) => perform(exchange, parameters, bytes))
  }

  /** After a reset a credential may belong to another caller, or to none. */
  async function readmitCaller(exchange: Exchange): Promise<void> {
    if (exchange.caller) exchange.caller = (await readmit(exchange, endpoint)).caller
  }

  function perform(exchange: Exchange, parameters: Parameters, bytes: Buffer): Awaitable<HttpResponse> {
    exchange.received = bytes
    const upload = endpoint.upload && receive(exchange, endpoint.upload)
    return andThen(exchange, invoke(exchange, { parameters, bytes, upload }), respond)
  }

  return {
    admission: "operation",
    operation: name,
    isAdministrative: isAdministrative(endpoint),
    // Login and logout change sessions with GET too.
    isChange: endpoint.method !== "GET" || endpoint.audited !== undefined,
    isUpload: endpoint.upload !== undefined,
    handle,
  }
}

/** Writes the result of an operation in the media type that the request accepts. */
function responder(
  endpoint: Endpoint,
  cacheControl: string,
  { publicUrl, unread }: Pick<RouteDeps, "publicUrl" | "unread">,
) {
  const respondInJson = jsonResponse({ status: endpoint.status, cacheControl, publicUrl })
  const respondInXml = xmlResponse(endpoint, respondInJson)
  const isMaking = makesOne(endpoint)

  return (exchange: Exchange, result: JsonResponse<unknown>): Awaitable<HttpResponse> => {
    if (result.isReplayed) exchange.header("idempotency-replayed", "true")
    else if (isMaking) exchange.created = idIn(result.json)
    // Charged here, because writing it as XML, or a fault that delays it, takes time.
    if (result.json.length > pieceBytes) unread.hold(exchange, result.json.length)
    return exchange.isXml ? respondInXml(exchange, result) : respondInJson(exchange, result)
  }
}

const cacheControlOf = ({ conditional, method }: Endpoint): string =>
  conditional && method === "GET" ? "private, no-cache" : "no-store"

/** Whether each success creates a resource with an id. */
const makesOne = ({ method, params, status, answer }: Endpoint): boolean =>
  method === "POST" && (status === 201 || params === undefined) && "properties" in answer

/** The id at the start of an object's JSON text, as JSON. */
const idIn = (text: string): string | undefined => /^\{"id":(\d+|"\w+")/.exec(text)?.[1]

const nothing = Buffer.alloc(0)
/** The operation receives the file itself. */
const leaveBody = () => nothing
