import { Readable } from "node:stream"
import type { EarlyBreakage, LateBreakage } from "../../domain/sandbox/faults/contract.ts"
import { cutInHalf, inPieces } from "../../kernel/flow/broken-bytes.ts"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { jsonType } from "../../kernel/network/media-types.ts"
import type { Exchange } from "../../server/exchange/exchange.ts"
import type { Delays } from "./delayed-responses.ts"

/** Fails instead of the operation: returns the response to write, or undefined when the connection was closed. */
export function failEarly({ response }: Exchange, breakage: EarlyBreakage): HttpResponse | undefined {
  if (breakage === "html")
    return { status: 502, headers: ["content-type", "text/html; charset=utf-8"], body: badGateway }
  // For the log only.
  response.statusCode = 503
  if (breakage === "reset") response.socket?.resetAndDestroy()
  response.destroy()
  return undefined
}

/** Returns the response to write, or undefined when the connection was closed instead. */
export function breakResponse(
  exchange: Exchange,
  response: HttpResponse,
  breakage: LateBreakage,
  pause: Delays["pause"],
): HttpResponse | undefined {
  const { body } = response
  if (!(body instanceof Readable)) exchange.sent = body
  if (breakage === "lose") return closeConnection(exchange, response)
  if (breakage === "garbage") return { status: 200, headers: ["content-type", jsonType], body: notJson }
  if (body === undefined || body instanceof Readable || exchange.method === "HEAD") return response
  const bytes = Buffer.from(body)
  const pauseFor = (ms: number) => pause(exchange, ms)
  const sent = {
    slow: () => inPieces(bytes, pauseFor),
    truncate: () => cutInHalf(bytes, pauseFor),
    empty: () => cutInHalf(bytes.subarray(0, 0), pauseFor, () => exchange.response.flushHeaders()),
  }[breakage]()
  const headers = [...response.headers, "content-length", String(bytes.length)]
  return { ...response, headers, body: Readable.from(sent, { objectMode: false }) }
}

function closeConnection({ response }: Exchange, { status }: Pick<HttpResponse, "status">): undefined {
  // The log shows the status that the client would have received.
  response.statusCode = status
  response.destroy()
}

/** Begins like JSON, as what a proxy or a cache cut off does. */
const notJson = '{"code":200,"message":"upstream closed'

const badGateway = `<!DOCTYPE html>
<html>
<head><title>502 Bad Gateway</title></head>
<body><h1>502 Bad Gateway</h1><p>The proxy received no valid response from the server.</p></body>
</html>
`
