import { Readable } from "node:stream"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import type { Exchange } from "../pipeline/exchange.ts"
import type { Holds } from "./holds.ts"

/** How a response fails: `drop` before anything is done, the others afterwards. */
export type Breakage = "drop" | "lose" | "truncate" | "slow"

const pieces = 10
const pieceEveryMs = 300
/** Long enough for the first half to be sent. */
const cutAfterMs = 50

/** Returns the response to write, or undefined when the connection was closed instead. */
export function breakResponse(
  exchange: Exchange,
  response: HttpResponse,
  breakage: Breakage,
  pause: Holds["pause"],
): HttpResponse | undefined {
  if (breakage === "drop" || breakage === "lose") return closeConnection(exchange, response)
  const { body } = response
  if (body === undefined || body instanceof Readable || exchange.method === "HEAD") return response
  const bytes = Buffer.from(body)
  const sent = breakage === "slow" ? inPieces(bytes) : cutInHalf(bytes)
  const headers = [...response.headers, "content-length", String(bytes.length)]
  return { ...response, headers, body: Readable.from(sent, { objectMode: false }) }

  async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
    const length = Math.ceil(bytes.length / pieces)
    for (let start = 0; start < bytes.length; start += length) {
      if (start > 0) await pause(exchange, pieceEveryMs)
      yield bytes.subarray(start, start + length)
    }
  }

  async function* cutInHalf(bytes: Buffer): AsyncGenerator<Buffer> {
    yield bytes.subarray(0, bytes.length / 2)
    await pause(exchange, cutAfterMs)
    throw new Error("the rest is withheld on request")
  }
}

function closeConnection({ response }: Exchange, { status }: Pick<HttpResponse, "status">): undefined {
  // The log shows the status that the client would have received.
  response.statusCode = status
  response.destroy()
}
