import type { CallInput } from "../core/kernel/endpoint/call-input.ts"
import type { Endpoint, ResponseOf } from "../core/kernel/endpoint/endpoint.ts"
import { jsonType } from "../core/kernel/network/media-types.ts"
import type { Violation } from "../core/kernel/problem.ts"
import type { ProblemDocument } from "../core/kernel/schema/problem-document.ts"
import { describeUnexpected, type FetchResponse, readProblem } from "./read-problem.ts"
import { buildUrl, encodeBody, makeIdempotencyKey } from "./request.ts"
import { isIdempotent, type Retrying, retry } from "./retry.ts"

export type { ProblemDocument } from "../core/kernel/schema/problem-document.ts"

/** The service refused the request; `problem` says why. `Code` is the union of the possible codes. */
export class Refused<Code extends string = string> extends Error {
  override readonly name = "Refused"
  readonly problem: ProblemDocument
  readonly headers: Headers
  /** The operationId of the refused operation. */
  readonly operation: string

  constructor(problem: ProblemDocument, headers: Headers, operation = "") {
    super(problem.detail)
    this.problem = problem
    this.headers = headers
    this.operation = operation
  }

  /** The problem code, such as `pet-not-found`; `unknown` when something other than the service responded. */
  get code(): Code {
    return this.problem.code as Code
  }

  get status(): number {
    return this.problem.status
  }

  /** Every violation of the input, with its location. */
  get errors(): readonly Violation[] {
    return this.problem.errors ?? []
  }

  /** The id of the request in the service's log. */
  get requestId(): string {
    return this.problem.requestId
  }
}

/** A response: value, original text, status and headers. */
export type ClientResponse<T> = { value: T; text: string; status: number; headers: Headers }

/** Options of a call besides the input of its operation. */
export type CallOptions = {
  headers?: Record<string, string>
  /** Cancels the call, including pauses between attempts. */
  signal?: AbortSignal
}

type RequestOf<E extends Endpoint> = CallInput<E> &
  (E extends { upload: object } ? { upload: FileOrForm } : { upload?: never }) &
  (E extends { idempotent: string } ? Idempotent : { idempotencyKey?: never })

export type Idempotent = {
  /** Makes the call safe to repeat: with the same key, the same call has its effect once within 24 hours. */
  idempotencyKey?: string
}

/** A file to upload: its bytes, or a form with the file and further fields. */
export type FileOrForm = Blob | FormData

type Call<E extends Endpoint> =
  object extends RequestOf<E>
    ? (input?: RequestOf<E>, options?: CallOptions) => Promise<ClientResponse<ResponseOf<E>>>
    : (input: RequestOf<E>, options?: CallOptions) => Promise<ClientResponse<ResponseOf<E>>>

/** One method per endpoint that does not stream; each resolves with the response or rejects with Refused. */
export type Client<Api extends Record<string, Endpoint>> = {
  [Name in keyof Api as Api[Name] extends { streams: true } ? never : Name]: Call<Api[Name]>
}

/** The part of `fetch` that a client needs. Redirects are not followed: they would carry the credential along. */
export type Send = (
  url: string,
  request: {
    method: string
    headers: Record<string, string>
    body?: string | Uint8Array<ArrayBuffer>
    signal?: AbortSignal
    redirect?: "manual"
  },
) => Promise<FetchResponse>

export type ClientOptions = {
  /** URL of the service without the base path. */
  url: string
  /** Headers of every request, such as the credential. */
  headers?: Record<string, string> | (() => Promise<Record<string, string>>)
  fetch?: Send
  /** Timeout of one attempt, including its response; none by default. */
  timeoutMs?: number
} & Partial<Pick<Retrying, "retries" | "pause" | "random">>

/** The part of an endpoint that a client needs. The method is GET when absent, as it is for most. */
export type Route = Pick<Endpoint, "path" | "consumes" | "idempotent" | "streams"> & Partial<Pick<Endpoint, "method">>

/** The typed client of a contract or of its routes. */
export function createClient<Api extends Record<string, Endpoint>>(
  api: Api | Record<keyof Client<Api>, Route>,
  options: ClientOptions,
): Client<Api> {
  const call =
    (name: string, route: Route) =>
    (input: AnyInput = {}, own?: CallOptions) =>
      request(name, route, { ...input, ...own }, options)
  const routes = Object.entries<Route>(api).filter(([, { streams }]) => !streams)
  return Object.fromEntries(routes.map(([name, route]) => [name, call(name, route)])) as Client<Api>
}

type AnyInput = { params?: object; query?: object; body?: unknown; upload?: FileOrForm; idempotencyKey?: string }
type AnyRequest = AnyInput & CallOptions

async function request(name: string, route: Route, input: AnyRequest, options: ClientOptions) {
  const { retries = 0, pause, random, timeoutMs, fetch: send = fetch } = options
  const { signal } = input
  const { method = "GET" } = route
  const url = buildUrl(options.url, route.path, input.params, input.query)
  const { body, headers } = await prepare(route, input, options, retries > 0)

  async function attempt() {
    const timeout = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)
    const ends = [signal, timeout].filter((end) => end !== undefined)
    const response = await send(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      ...(ends.length > 0 && { signal: AbortSignal.any(ends) }),
      redirect: "manual",
    })
    const text = await response.text()
    const refuse = (problem: ProblemDocument) => new Refused(problem, response.headers, name)
    if (!response.ok && response.status !== 304) throw refuse(readProblem(url, response, text))
    const unexpected = () => refuse(describeUnexpected(url, response, "with something other than JSON"))
    return { value: parseValue(text, unexpected), text, status: response.status, headers: response.headers }
  }

  const isRepeatable = isIdempotent(method) || headers[keyHeader]
  return retry(attempt, { retries: isRepeatable ? retries : 0, signal, pause, random })
}

const keyHeader = "idempotency-key"

/** The request, identical for every attempt, including the idempotency key. */
async function prepare(
  { consumes, idempotent }: Route,
  input: AnyRequest,
  { headers }: ClientOptions,
  retries: boolean,
) {
  const file = input.upload && new Response(input.upload)
  const type = consumes?.[0] ?? jsonType
  const key = input.idempotencyKey ?? (retries && idempotent && makeIdempotencyKey())
  const common = { ...(typeof headers === "function" ? await headers() : headers), ...input.headers }
  const lowerCase = Object.fromEntries(Object.entries(common).map(([name, value]) => [name.toLowerCase(), value]))
  return {
    headers: {
      accept: "application/json",
      ...(file && { "content-type": file.headers.get("content-type") ?? "application/octet-stream" }),
      ...(input.body !== undefined && { "content-type": type }),
      ...(key && { [keyHeader]: key }),
      ...lowerCase,
    } as Record<string, string>,
    body: file
      ? new Uint8Array(await file.arrayBuffer())
      : input.body === undefined
        ? undefined
        : encodeBody(input.body, type),
  }
}

function parseValue(text: string, unexpected: () => Refused) {
  try {
    return text === "" ? undefined : JSON.parse(text)
  } catch {
    throw unexpected()
  }
}
