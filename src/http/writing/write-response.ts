import { Readable } from "node:stream"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import type { Exchange } from "../pipeline/exchange.ts"
import type { UnreadResponses } from "../rate-limiting/unread-responses.ts"
import { discardBody } from "../reading/body.ts"
import { awaitsContinue } from "../reading/expect-continue.ts"
import { hasBody } from "../reading/request-head.ts"
import { pieceBytes, sendPieces } from "./send-pieces.ts"

const exposedHeaders =
  "ETag, Link, Retry-After, RateLimit, RateLimit-Policy, Idempotency-Replayed, Preference-Applied, X-Request-Id, Location, Deprecation, Sunset, X-Rate-Limit, X-Expires-After"

type Writing = {
  /** Whether the address clients use is https. */
  isSecure(): boolean
  /** Whether the service is stopping, so that every response ends its connection. */
  isDraining(): boolean
}

/** Writes responses: the head in one piece, and the body behind it. Throws the 503 for a body there is no room for. */
export function responseWriter(writing: Writing, unread: Pick<UnreadResponses, "hold" | "follow">) {
  const writeHead = headWriter(writing)

  return (exchange: Exchange, { status, headers, body }: HttpResponse): void => {
    const { request, response } = exchange
    if (body instanceof Readable) {
      writeHead(exchange, status, headers)
      unread.follow(exchange)
      sendStream(response, body)
    } else if (status === 204 || status === 304) {
      writeHead(exchange, status, headers)
      response.end()
    } else {
      const bytes = body === undefined ? 0 : Buffer.byteLength(body)
      const isLarge = bytes > pieceBytes && typeof body === "string" && exchange.method !== "HEAD"
      if (isLarge) unread.hold(exchange, bytes)
      writeHead(exchange, status, [...headers, "content-length", String(bytes)])
      if (isLarge) {
        unread.follow(exchange, true)
        sendPieces(response, Buffer.from(body))
      } else {
        // ASCII is the same in both, and one of them need not be measured and encoded.
        response.end(body, bytes === body?.length ? "latin1" : "utf8")
        // Bytes are those of a file that all its readers share.
        if (request.socket.writableLength > 0 && typeof body === "string") unread.follow(exchange)
      }
    }
    if (hasBody(request)) discardBody(request)
  }
}

/** Writes heads, with what every response carries. */
export function headWriter({ isSecure, isDraining }: Writing) {
  return (exchange: Exchange, status: number, headers: readonly string[]): void => {
    const { request, response, route } = exchange
    exchange.status = status
    const head = ["x-request-id", exchange.id, "x-content-type-options", "nosniff", ...headers, ...exchange.headers]
    if (!headers.includes("referrer-policy")) head.push("referrer-policy", "no-referrer")
    // Credentials travel in headers, never in cookies, so pages of any origin may call the service. What shared caches may
    // keep says so to everybody, the rest to requests that say where they come from.
    if (exchange.isReadableAnywhere && (request.headers.origin !== undefined || route?.admission !== "operation"))
      head.push("access-control-allow-origin", "*", "access-control-expose-headers", exposedHeaders)
    // RFC 6797 section 7.2: never over plain HTTP.
    if (isSecure()) head.push("strict-transport-security", "max-age=31536000")
    if ((isDraining() || awaitsContinue(request)) && !head.includes("connection")) head.push("connection", "close")
    response.writeHead(status, head)
  }
}

function sendStream(response: Exchange["response"], body: Readable): void {
  body.once("error", () => response.destroy())
  // A client that has gone while the bytes were being fetched is announced no more.
  if (response.destroyed) {
    body.destroy()
    return
  }
  response.once("close", () => body.destroy())
  body.pipe(response)
}
