import type { IncomingMessage, ServerResponse } from "node:http"
import type { Upload } from "../../kernel/endpoint/endpoint.ts"
import type { Page, SortedPage } from "../../kernel/endpoint/page.ts"
import type { Awaitable } from "../../kernel/flow/awaitable.ts"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import type { Span } from "../../kernel/network/trace.ts"
import type { Violation } from "../../kernel/problem.ts"

/** Who sends a request, as far as logs, traces and limits need it. */
export type Identity = {
  account: { readonly id: number }
  credential: { readonly kind: string; readonly id: number }
  user?: { readonly id: number } | undefined
}

export type Parameters = { params: object; query: object; page: Page | SortedPage | undefined }

/** The uploaded file; disposal removes it and the files made beside it. */
export type IncomingUpload = Upload<object> & AsyncDisposable

/** How a request was judged, for one that asks for it. */
export type Explanation = {
  requiredScope: string | undefined
  /** The name of the schema of the body. */
  schema: string | undefined
  /** The windows of the plan after the request. */
  limits: readonly object[]
  violations: readonly Violation[]
  faultRule: object | undefined
  /** The events that it wrote, by their number in the store and, once they have one, their public id. */
  events: { number: number; event: string; id?: string | undefined }[]
  isRecorded: boolean
}

/** Milliseconds that the parts of a request took; undefined for those that it has not passed. */
export type Timings = { auth: number | undefined; limits: number | undefined; operation: number | undefined }

/** A part of the service whose paths have a prefix of their own, and whose accounts are its own. */
export type Mount = {
  prefix: string
  /** Members of the log lines of its requests, as JSON after a comma. */
  logged: string
  /** Whether responses say how long their parts took. */
  isTimed?: boolean
  /** Adds headers to a response whose head is written next. */
  beforeHead?(exchange: Exchange): void
  /** Looks at a finished request. */
  observe(exchange: Exchange, durationMs: number): void
}

/** One request and its response on their way through the pipeline. */
export class Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly method: string
  /** The request target without its query, which may hold secrets, and without the prefix of its mount. */
  path: string
  mount: Mount
  /** The query without its question mark; empty when there is none. */
  readonly query: string
  /** The value of `X-Request-Id`, in the log and in problems. */
  readonly id: string
  /** The client's network address, seen past trusted proxies. */
  readonly address: string
  /** Milliseconds, for the duration in the log. */
  readonly startedAt = performance.now()
  /** Undefined where no response shows them. */
  readonly timings: Timings | undefined
  explanation: Explanation | undefined = undefined
  resource: Resource | undefined = undefined
  route: HttpRoute | undefined = undefined
  params: Readonly<Record<string, string | undefined>> = noParams
  caller: Identity | undefined = undefined
  /** Headers of every response to the request: names and values in turn. */
  readonly headers: string[] = []
  /** Whether pages of any origin may read the response (Fetch, CORS protocol). */
  isReadableAnywhere = true
  /** Whether the client accepts XML and the operation can write it. */
  isXml = false
  status = 0
  /** The code of the problem that refuses the request. */
  problem: string | undefined = undefined
  /** The faults that were made on purpose, in the words of `Prefer`. */
  fault: string | undefined = undefined
  /** The path, the query and the page, when an operation has read them. */
  parameters: Parameters = noParameters
  /** The body of the request, if it was read as a whole. */
  received: Buffer = noBytes
  /** The file of an upload, which the operation receives. */
  upload: IncomingUpload | undefined = undefined
  /** The headers of the response besides those above and those that every response has: names and values in turn. */
  head: readonly string[] = nothing
  /** The body of the response, if it was written as a whole; also one that a fault withheld. */
  sent: string | Uint8Array | undefined = undefined
  /** The id of the created resource, as JSON. */
  created: string | undefined = undefined
  /** Milliseconds until the head of a streamed response was sent. */
  headMs: number | undefined = undefined
  /** The request's span, when requests are traced. */
  span: Span | undefined = undefined

  constructor(request: IncomingMessage, response: ServerResponse, id: string, address: string, mount: Mount) {
    this.request = request
    this.response = response
    this.method = request.method as string
    const target = request.url as string
    const mark = target.indexOf("?")
    this.path = mark < 0 ? target : target.slice(0, mark)
    this.query = mark < 0 ? "" : target.slice(mark + 1)
    this.id = id
    this.address = address
    this.mount = mount
    this.timings = mount.isTimed ? { auth: undefined, limits: undefined, operation: undefined } : undefined
  }

  /** A path as clients see it. */
  outside(path: string): string {
    return this.mount.prefix + path
  }

  /** Adds a header to the response, also to a problem. */
  header(name: string, value: string): void {
    this.headers.push(name, value)
  }

  replaceHeader(name: string, value: string): void {
    const at = this.headers.indexOf(name)
    if (at < 0) this.header(name, value)
    else this.headers[at + 1] = value
  }
}

const noParams = {}
const noParameters: Parameters = { params: noParams, query: noParams, page: undefined }
const noBytes = Buffer.alloc(0)
const nothing: readonly string[] = []

export type HttpRoute = {
  /** How requests are limited: by the operation (its credential), by address and kind of request, or not at all. */
  admission: "operation" | "anonymous" | "files" | "health"
  /** The operationId, for the log. */
  operation?: string
  /** Refused to pages of other sites where the API keys are public. */
  isAdministrative?: boolean
  /** Changes something. Refused to pages of other sites where requests need no credential. */
  isChange?: boolean
  /** Takes a file, which may take long to arrive. */
  isUpload?: boolean
  /** Returns the response, or undefined when the route writes it itself. */
  handle(exchange: Exchange): Awaitable<HttpResponse | undefined>
  /** Makes the response to a failure instead of a problem document, for pages that people read. */
  respondToError?(exchange: Exchange, error: unknown): HttpResponse
}

/** A path, with parameters in braces, and the methods it supports. `allow` is the value of the header. */
export type Resource = { path: string; routes: Map<string, HttpRoute>; allow: string }
