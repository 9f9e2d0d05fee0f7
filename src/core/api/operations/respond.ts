import type { Endpoint } from "../../kernel/endpoint/endpoint.ts"
import type { JsonResponse } from "../../kernel/endpoint/json-response.ts"
import type { Awaitable } from "../../kernel/flow/awaitable.ts"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import type { Exchange } from "../../server/exchange/exchange.ts"
import type { UnreadResponses } from "../../server/limits/unread-responses.ts"
import { jsonResponse } from "../../server/writing/json-response.ts"
import { pieceBytes } from "../../server/writing/send-pieces.ts"
import { xmlResponse } from "../../server/writing/xml-response.ts"

/** Writes the result of an operation in the media type that the request accepts. */
export type Respond = (exchange: Exchange, result: JsonResponse<unknown>) => Awaitable<HttpResponse>

export function responder(endpoint: Endpoint, publicUrl: () => string, unread: Pick<UnreadResponses, "hold">): Respond {
  const respondInJson = jsonResponse({ status: endpoint.status, cacheControl: cacheControlOf(endpoint), publicUrl })
  const respondInXml = xmlResponse(endpoint, respondInJson)
  const isMaking = makesOne(endpoint)

  return (exchange, result) => {
    if (result.isReplayed) exchange.header("idempotency-replayed", "true")
    else if (isMaking) exchange.created = idIn(result.json)
    // Charged here, because writing it as XML, or a fault that delays it, takes time.
    if (result.json.length > pieceBytes) unread.hold(exchange, result.json.length)
    return exchange.isXml ? respondInXml(exchange, result) : respondInJson(exchange, result)
  }
}

export const cacheControlOf = ({ conditional, method }: Endpoint): string =>
  conditional && method === "GET" ? "private, no-cache" : "no-store"

/** Whether each success creates a resource with an id. */
const makesOne = ({ method, params, status, response }: Endpoint): boolean =>
  method === "POST" && (status === 201 || params === undefined) && "properties" in response

/** The id at the start of an object's JSON text, as JSON. */
const idIn = (text: string): string | undefined => /^\{"id":(\d+|"\w+")/.exec(text)?.[1]
