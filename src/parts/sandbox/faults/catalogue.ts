import { Readable } from "node:stream"
import { cutInHalf, inPieces } from "../../../core/kernel/flow/broken-bytes.ts"
import type { HttpResponse } from "../../../core/kernel/network/http-response.ts"
import { jsonType } from "../../../core/kernel/network/media-types.ts"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"
import type { Handling } from "../handling.ts"
import type { Breakage } from "./contract.ts"
import type { Delays } from "./delayed-responses.ts"

/** How each fault fails: instead of the operation, or after it. */
export function faultCatalogue({ pause }: Pick<Delays, "pause">): Readonly<Record<Breakage, Handling>> {
  const changed = (change: (bytes: Buffer, pauseFor: (ms: number) => Promise<void>, exchange: Exchange) => Pieces) =>
    afterwards((response, exchange) => {
      const { body, headers } = response
      if (body === undefined || body instanceof Readable || exchange.method === "HEAD") return response
      const bytes = Buffer.from(body)
      const sent = change(bytes, (ms) => pause(exchange, ms), exchange)
      return {
        ...response,
        headers: [...headers, "content-length", String(bytes.length)],
        body: Readable.from(sent, { objectMode: false }),
      }
    })

  return {
    drop: (exchange) => disconnect(exchange),
    reset: (exchange) => disconnect(exchange, () => exchange.response.socket?.resetAndDestroy()),
    html: () => ({ status: 502, headers: ["content-type", "text/html; charset=utf-8"], body: badGateway }),
    lose: afterwards(({ status }, { response }) => {
      // The log shows the status that the client would have received.
      response.statusCode = status
      response.destroy()
      return undefined
    }),
    garbage: afterwards(() => ({ status: 200, headers: ["content-type", jsonType], body: notJson })),
    slow: changed(inPieces),
    truncate: changed((bytes, pauseFor) => cutInHalf(bytes, pauseFor)),
    empty: changed((bytes, pauseFor, { response }) =>
      cutInHalf(bytes.subarray(0, 0), pauseFor, () => response.flushHeaders()),
    ),
  }
}

type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** Breaks the response on its way; undefined closes the connection instead. */
const afterwards =
  (breakResponse: (response: HttpResponse, exchange: Exchange) => HttpResponse | undefined): Handling =>
  async (exchange, next) => {
    const response = await next(exchange)
    // A stream has started by then.
    if (!response) exchange.response.destroy()
    if (!response || exchange.response.destroyed) return response
    if (!(response.body instanceof Readable)) exchange.sent = response.body
    return breakResponse(response, exchange)
  }

/** Closes the connection before there is a response. */
function disconnect(exchange: Exchange, close?: () => void): undefined {
  const { response } = exchange
  exchange.isDropped = true
  // For the log only.
  response.statusCode = 503
  close?.()
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
