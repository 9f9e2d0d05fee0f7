import type { IncomingMessage, ServerResponse } from "node:http"
import type { Upload } from "../../kernel/endpoint/endpoint.ts"
import type { Page, SortedPage } from "../../kernel/endpoint/page.ts"
import type { Awaitable } from "../../kernel/flow/awaitable.ts"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import type { Span } from "../../kernel/network/trace.ts"
import type { Violation } from "../../kernel/problem.ts"

/** The caller of a request as far as the server knows callers: what logs and limits need. */
export type Identity = {
  account: { readonly id: number }
  credential: { readonly kind: string; readonly id: number }
  user?: { readonly id: number } | undefined
}

export type Parameters = { params: object; query: object; page: Page | SortedPage | undefined }

/** The uploaded file; disposal removes it and the files made beside it. */
export type IncomingUpload = Upload<object> & AsyncDisposable

/** What an observer learns of a request on its way. */
export type Observation = {
  /** Milliseconds that the parts of the request took; responses say them in `Server-Timing`. */
  readonly timings: Timings
  /** How it is judged; undefined unless that is wanted. */
  readonly judgement: RequestJudgement | undefined
}

/** Undefined for the parts that a request has not passed. */
export type Timings = { auth: number | undefined; limits: number | undefined; operation: number | undefined }

export type RequestJudgement = {
  /** The windows of the plan after the request. */
  limits: readonly object[]
  violations: readonly Violation[]
  /** The events that it wrote, by their number in the store and, once they have one, their public id. */
  events: { number: number; event: string; id?: string | undefined }[]
}

/** Observes requests and their responses. */
export type Observer = {
  /** What it wants to learn of a request that begins. */
  begin?(): Observation
  /** Is called when a request arrives, before it is routed. */
  arrive?(exchange: Exchange): void
  /** What is awaited before the response is written, if anything: reads what is recorded of a request and was not read. */
  complete?(exchange: Exchange): Promise<unknown> | undefined
  /** Adds headers to a response whose head is written next. */
  beforeHead?(exchange: Exchange): void
  /** Looks at a finished request. */
  end?(exchange: Exchange, durationMs: number): void
}

/** A part of the service whose paths have a prefix of their own, and whose accounts are its own. */
export type Mount = {
  prefix: string
  /** Members of the log lines of its requests, as JSON after a comma. */
  logged: string
  observer: Observer
}

/** One request and its response on their way through the pipeline. The server reads of a caller only its identity. */
export class Exchange<Who extends Identity = Identity> {
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
  /** Undefined where nothing observes the request. */
  readonly observation: Observation | undefined
  resource: Resource | undefined = undefined
  route: HttpRoute | undefined = undefined
  params: Readonly<Record<string, string | undefined>> = noParams
  caller: Who | undefined = undefined
  /** Headers of every response to the request: names and values in turn. */
  readonly headers: string[] = []
  /** Whether pages of any origin may read the response (Fetch, CORS protocol). */
  isReadableAnywhere = true
  /** Whether the client accepts XML and the operation can write it. */
  isXml = false
  status = 0
  /** The code of the problem that refuses the request. */
  problem: string | undefined = undefined
  /** Whether the connection was closed on purpose before there was a response. */
  isDropped = false
  /** The path, the query and the page, when an operation has read them. */
  parameters: Parameters = noParameters
  /** The body of the request, or the beginning of one that was refused. */
  received: Buffer = noBytes
  /** The file of an upload, which the operation receives. */
  upload: IncomingUpload | undefined = undefined
  /** Milliseconds for which the service did not read on purpose, so that the client could not send; infinite meanwhile. */
  unreadMs = 0
  /** The headers of the response besides those above and those that every response has: names and values in turn. */
  head: readonly string[] = noHeaders
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
    this.observation = mount.observer.begin?.()
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
const noHeaders: readonly string[] = []

export type HttpRoute = {
  /** How requests are limited: by the operation (its credential), by address and kind of request, or not at all. */
  admission: "operation" | "anonymous" | "files" | "health"
  /** The operationId, for the log. */
  operation?: string
  /** Refused to pages of other sites where the API keys are public. */
  isAdministrative?: boolean
  /** Changes something. Refused to pages of other sites where requests need no credential. */
  isChange?: boolean
  /** A page for people, or what pages load: it is the same for all stores, or its path names one. No header selects another. */
  isPage?: boolean
  /** Takes a file, which may take long to arrive. */
  isUpload?: boolean
  /** Returns the response, or undefined when the route writes it itself. */
  handle(exchange: Exchange): Awaitable<HttpResponse | undefined>
  /** Makes the response to a failure instead of a problem document, for pages that people read. */
  respondToError?(exchange: Exchange, error: unknown): HttpResponse
}

/** A path, with parameters in braces, and the methods it supports. `allow` is the value of the header. */
export type Resource = { path: string; routes: Map<string, HttpRoute>; allow: string; isPage: boolean }
