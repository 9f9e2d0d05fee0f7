// Decision: docs/decisions/mcp.md#a-call-of-a-tool-is-a-request-of-its-own-without-a-network

import { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import type { HttpResponse } from "../kernel/network/http-response.ts"
import type { Exchange } from "./exchange/exchange.ts"
import { IncomingMessage } from "./exchange/node-http.ts"
import { createPipeline, type PipelineParts } from "./pipeline/pipeline.ts"

export type InnerRequest = {
  method: string
  headers: Readonly<Record<string, string>>
  body?: string | Uint8Array | undefined
}

/** What a client reads of a response; a `Response` would make streams for it. */
export type InnerResponse = Pick<Response, "ok" | "status" | "statusText" | "headers" | "text">

/** The origin of inner addresses. A constant, because the `Host` of the outer request is the client's. */
export const innerOrigin = "http://petstore.invalid"

/**
 * Sends a request to this service on behalf of another one, which it shares the connection, the id and the client's address with. `url`
 * is at `innerOrigin`, percent-encoded, without dot segments.
 */
export type SendInner = (outer: Exchange, url: string, request: InnerRequest) => Promise<InnerResponse>

/** Headers of the outer request that the inner one has too. */
const passedOn = [
  "host",
  "api_key",
  "authorization",
  "petstore-account",
  "x-forwarded-for",
  "user-agent",
  "traceparent",
  "tracestate",
  "prefer",
  "idempotency-key",
]

/** A request that exists in this process alone. */
class InnerMessage extends IncomingMessage {
  readonly respond: (response: HttpResponse) => void

  constructor(outer: Exchange, url: string, sent: InnerRequest, respond: InnerMessage["respond"]) {
    super(outer.request.socket)
    const bytes = Buffer.from(sent.body ?? "")
    const headers: Record<string, string> = {}
    for (const name of passedOn) {
      const value = outer.request.headers[name]
      if (value !== undefined) headers[name] = String(value)
    }
    Object.assign(headers, sent.headers, { "x-request-id": outer.id, "content-length": String(bytes.length) })
    Object.assign(this, { method: sent.method, url: url.slice(innerOrigin.length), headers, complete: true })
    this.httpVersion = outer.request.httpVersion
    this.rawHeaders = Object.entries(headers).flat()
    this.respond = respond
    if (bytes.length > 0) this.push(bytes)
    this.push(null)
  }
}

export const isInner = (request: object): boolean => request instanceof InnerMessage

/**
 * Inner requests pass the same pipeline as those from the network: mounts, credentials, limits, faults, the journal, metrics and the log
 * apply to them. A connection that is closed instead of a response is the outer one.
 */
export function innerSender(parts: PipelineParts): SendInner {
  const run = createPipeline({
    ...parts,
    // The body is here already.
    watchBody() {},
    write(exchange, response) {
      const { headers, body, status } = response
      exchange.status = status
      exchange.head = headers
      exchange.mount.observer.beforeHead?.(exchange)
      if (!(body instanceof Readable)) exchange.sent = body
      ;(exchange.request as InnerMessage).respond({ ...response, headers: [...headers, ...exchange.headers] })
    },
  })
  return async (outer, url, request) => {
    const { promise, resolve } = Promise.withResolvers<HttpResponse>()
    run(new InnerMessage(outer, url, request, resolve), outer.response)
    const { status, headers, body } = await promise
    const pairs = Array.from({ length: headers.length / 2 }, (_, n) => [headers[2 * n], headers[2 * n + 1]])
    return {
      ok: status >= 200 && status < 300,
      status,
      statusText: "",
      headers: new Headers(pairs as [string, string][]),
      text: async () =>
        body instanceof Readable ? text(body) : typeof body === "string" ? body : new TextDecoder().decode(body),
    }
  }
}
