import { Readable } from "node:stream"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import type { Exchange } from "../exchange/exchange.ts"
import type { UnreadResponses } from "../limits/unread-responses.ts"
import { discardBody } from "../reading/body.ts"
import { awaitsContinue } from "../reading/expect-continue.ts"
import { hasBody } from "../reading/request-head.ts"
import { usualName } from "./header-names.ts"
import { pieceBytes, sendPieces } from "./send-pieces.ts"
import { serverTiming } from "./server-timing.ts"

const exposedHeaders =
  "ETag, Link, Total-Count, Retry-After, RateLimit, RateLimit-Policy, Idempotency-Replayed, Preference-Applied, X-Request-Id, Location, WWW-Authenticate, Deprecation, Sunset, X-Rate-Limit, X-Expires-After"
const readable = ["Access-Control-Allow-Origin", "*"]
const readableUntimed = [...readable, "Access-Control-Expose-Headers", exposedHeaders]
const readableTimed = [
  ...readable,
  "Access-Control-Expose-Headers",
  `${exposedHeaders}, Server-Timing`,
  "Timing-Allow-Origin",
  "*",
]

export type Writing = {
  /** Whether the public address is https. */
  isSecure(): boolean
  /** Whether the service is stopping, so that every response closes its connection. */
  isDraining(): boolean
}

/** Writes responses: the head in one piece, then the body. Throws the 503 when a body exceeds the memory budget. */
export function responseWriter(writing: Writing, unread: Pick<UnreadResponses, "hold" | "follow">) {
  const writeHead = headWriter(writing)

  return (exchange: Exchange, { status, headers, body, isPaced }: HttpResponse): void => {
    const { request, response } = exchange
    if (body instanceof Readable) {
      writeHead(exchange, status, headers)
      unread.follow(exchange, isPaced)
      sendStream(response, body)
    } else if (status === 204 || status === 304) {
      writeHead(exchange, status, headers)
      response.end()
    } else {
      if (exchange.method !== "HEAD") exchange.sent = body
      const bytes = body === undefined ? 0 : Buffer.byteLength(body)
      const isLarge = bytes > pieceBytes && typeof body === "string" && exchange.method !== "HEAD"
      if (isLarge) unread.hold(exchange, bytes)
      writeHead(exchange, status, [...headers, "content-length", String(bytes)])
      if (isLarge) {
        unread.follow(exchange, true)
        sendPieces(response, Buffer.from(body))
      } else {
        // ASCII is the same in both encodings, and latin1 is neither measured nor encoded.
        response.end(body, bytes === body?.length ? "latin1" : "utf8")
        // Byte bodies are files that all their readers share.
        if (request.socket.writableLength > 0 && typeof body === "string") unread.follow(exchange)
      }
    }
    if (hasBody(request)) discardBody(request)
  }
}

export type WriteHead = (exchange: Exchange, status: number, headers: readonly string[]) => void

/** Writes heads with the headers that every response has. */
export function headWriter({ isSecure, isDraining }: Writing): WriteHead {
  return (exchange, status, headers) => {
    const { request, response, route } = exchange
    const timings = exchange.observation?.timings
    exchange.status = status
    exchange.head = headers
    exchange.mount.observer.beforeHead?.(exchange)
    const head = ["X-Request-Id", exchange.id, "X-Content-Type-Options", "nosniff", ...headers, ...exchange.headers]
    for (let at = 4; at < head.length; at += 2) head[at] = usualName(head[at] as string)
    if (!headers.includes("referrer-policy")) head.push("Referrer-Policy", "no-referrer")
    // Credentials travel in headers, never in cookies, so pages of any origin may call the service. Cacheable responses
    // always say so; the others only in reply to an `Origin`.
    if (exchange.isReadableAnywhere && (request.headers.origin !== undefined || route?.admission !== "operation"))
      head.push(...(timings ? readableTimed : readableUntimed))
    if (timings) head.push("Server-Timing", serverTiming(timings, exchange.startedAt))
    // RFC 6797 section 7.2: never over plain HTTP.
    if (isSecure()) head.push("Strict-Transport-Security", "max-age=31536000")
    if ((isDraining() || awaitsContinue(request)) && !head.includes("Connection")) head.push("Connection", "close")
    response.writeHead(status, head)
  }
}

function sendStream(response: Exchange["response"], body: Readable): void {
  body.once("error", () => response.destroy())
  // After a disconnect the response does not emit `close` again.
  if (response.destroyed) {
    body.destroy()
    return
  }
  response.once("close", () => body.destroy())
  body.pipe(response)
}
