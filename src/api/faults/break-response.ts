import { Readable } from "node:stream"
import type { Breakage } from "../../domain/sandbox/faults/contract.ts"
import { cutInHalf, inPieces } from "../../kernel/flow/broken-bytes.ts"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import type { Exchange } from "../../server/exchange/exchange.ts"
import type { Delays } from "./delayed-responses.ts"

/** Returns the response to write, or undefined when the connection was closed instead. */
export function breakResponse(
  exchange: Exchange,
  response: HttpResponse,
  breakage: Breakage,
  pause: Delays["pause"],
): HttpResponse | undefined {
  const { body } = response
  if (!(body instanceof Readable)) exchange.sent = body
  if (breakage === "drop" || breakage === "lose") return closeConnection(exchange, response)
  if (body === undefined || body instanceof Readable || exchange.method === "HEAD") return response
  const bytes = Buffer.from(body)
  const pauseFor = (ms: number) => pause(exchange, ms)
  const sent = breakage === "slow" ? inPieces(bytes, pauseFor) : cutInHalf(bytes, pauseFor)
  const headers = [...response.headers, "content-length", String(bytes.length)]
  return { ...response, headers, body: Readable.from(sent, { objectMode: false }) }
}

function closeConnection({ response }: Exchange, { status }: Pick<HttpResponse, "status">): undefined {
  // The log shows the status that the client would have received.
  response.statusCode = status
  response.destroy()
}
