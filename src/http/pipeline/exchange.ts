import type { IncomingMessage, ServerResponse } from "node:http"
import type { Caller } from "../../domain/accounts/model.ts"
import type { Awaitable } from "../../kernel/flow/awaitable.ts"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { sandboxPath } from "../../kernel/network/path.ts"
import type { Span } from "../../kernel/network/trace.ts"

/** One request and the response to it, on their way through the pipeline. */
export class Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly method: string
  /** The request target without its query, which may hold secrets; within its sandbox when it names one. */
  path: string
  /** The named sandbox that the request is for. */
  sandbox: string | undefined = undefined
  /** The query without its question mark; empty when there is none. */
  readonly query: string
  /** The value of `X-Request-Id`, in the log and in problems. */
  readonly id: string
  /** The network address the request comes from, seen past trusted proxies. */
  readonly address: string
  /** Milliseconds, for the duration in the log. */
  readonly startedAt = performance.now()
  resource: Resource | undefined = undefined
  route: Route | undefined = undefined
  params: Readonly<Record<string, string | undefined>> = noParams
  /** Who is calling; set once the credential is known to hold. */
  caller: Caller | undefined = undefined
  /** Headers of the response, whichever it will be: names and values in turn. */
  readonly headers: string[] = []
  /** Whether pages of any origin may read the response (Fetch, CORS protocol). */
  isReadableAnywhere = true
  /** Whether the response is asked for in XML, by an operation that has it. */
  isXml = false
  status = 0
  /** The code of the problem it is refused with. */
  problem: string | undefined = undefined
  /** The id of what it made, as JSON. */
  created: string | undefined = undefined
  /** Milliseconds until a response that goes on had begun. */
  headMs: number | undefined = undefined
  /** Its part of a trace, where requests are traced. */
  span: Span | undefined = undefined

  constructor(request: IncomingMessage, response: ServerResponse, id: string, address: string) {
    this.request = request
    this.response = response
    this.method = request.method as string
    const target = request.url as string
    const mark = target.indexOf("?")
    this.path = mark < 0 ? target : target.slice(0, mark)
    this.query = mark < 0 ? "" : target.slice(mark + 1)
    this.id = id
    this.address = address
  }

  /** A path of the resource it is about, as clients call it: below that of its sandbox. */
  outside(path: string): string {
    return this.sandbox === undefined ? path : sandboxPath(this.sandbox) + path
  }

  /** Adds a header to the response, whichever it will be. */
  header(name: string, value: string): void {
    this.headers.push(name, value)
  }
}

const noParams = {}

/** What handles a method at a path. */
export type Route = {
  /** Who limits the requests: the operation by its credential, the address by the kind of request, or nobody. */
  admission: "operation" | "anonymous" | "files" | "health"
  /** The operationId, for the log. */
  operation?: string
  /** Refused to pages of other sites where everybody knows the keys. */
  isAdministrative?: boolean
  /** Takes a file, which may take long to come in. */
  isUpload?: boolean
  /** The response, or undefined when it writes one itself. */
  handle(exchange: Exchange): Awaitable<HttpResponse | undefined>
  /** The response to a failure, in place of a problem document: the pages of a browser have people as readers. */
  respondToError?(exchange: Exchange, error: unknown): HttpResponse
}

/** A path, with parameters in braces, and the methods it supports; `allow` is the value of the header. */
export type Resource = { path: string; routes: Map<string, Route>; allow: string }
