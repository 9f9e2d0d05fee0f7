import type { Answer, Body, Endpoint, Params, Query } from "../kernel/endpoint.ts"
import { jsonType, urlencodedType } from "../kernel/media-types.ts"
import { basePath, filledPath } from "../kernel/path.ts"
import type { Violation } from "../kernel/problem.ts"

/** A problem document as it arrives (RFC 9457 and our extension members). */
export type ProblemDocument = {
  type: string
  title: string
  status: number
  detail: string
  instance: string
  code: string
  message: string
  requestId: string
  errors?: Violation[]
}

/** The service refused; `problem` says why. */
export class Refused extends Error {
  readonly problem: ProblemDocument
  readonly headers: Headers

  constructor(problem: ProblemDocument, headers: Headers) {
    super(problem.detail)
    this.problem = problem
    this.headers = headers
  }
}

/** A response: its value, the text the value was parsed from, status and headers. */
export type ClientResponse<T> = { value: T; text: string; status: number; headers: Headers }

type RequestOf<E extends Endpoint> = (E extends { params: object } ? { params: Params<E> } : { params?: never }) &
  (E extends { body: object } ? BodyOf<E> : { body?: never }) &
  (E extends { upload: object } ? { upload: File } : { upload?: never }) & {
    query?: Partial<Query<E>> &
      (E extends { paged: true } ? { limit?: number; cursor?: string } : object) &
      (E extends { sorts: readonly (infer S)[] } ? { sort?: S } : object)
    headers?: Record<string, string>
  }

type BodyOf<E extends Endpoint> = undefined extends Body<E> ? { body?: Body<E> } : { body: Body<E> }

/** A file to send: its bytes, or a form with the file and its other fields. */
type File = Blob | FormData

type Call<E extends Endpoint> =
  object extends RequestOf<E>
    ? (given?: RequestOf<E>) => Promise<ClientResponse<Answer<E>>>
    : (given: RequestOf<E>) => Promise<ClientResponse<Answer<E>>>

/** One method for every endpoint; each resolves with the response or rejects with Refused. */
export type Client<Api extends Record<string, Endpoint>> = { [Name in keyof Api]: Call<Api[Name]> }

/** The part of `fetch` (WHATWG Fetch) that a client needs. */
export type Send = (
  url: string,
  request: { method: string; headers: Record<string, string>; body?: string | Uint8Array<ArrayBuffer> },
) => Promise<FetchResponse>

type FetchResponse = Pick<Response, "ok" | "status" | "statusText" | "url" | "headers" | "text">

export type ClientOptions = {
  /** Where the service is, without the base path. */
  url: string
  /** Sent with every request; the credential, for example. */
  headers?: Record<string, string>
  fetch?: Send
}

/** The typed client of a contract: nothing about an operation is written here. */
export function createClient<Api extends Record<string, Endpoint>>(api: Api, options: ClientOptions): Client<Api> {
  const call = (endpoint: Endpoint) => (given?: RequestOf<Endpoint>) => request(endpoint, given ?? {}, options)
  return Object.fromEntries(Object.entries(api).map(([name, endpoint]) => [name, call(endpoint)])) as Client<Api>
}

async function request(endpoint: Endpoint, given: AnyRequest, { url, headers, fetch: send = fetch }: ClientOptions) {
  const file = given.upload && new Response(given.upload)
  const type = endpoint.consumes?.[0] ?? jsonType
  const response = await send(buildUrl(url, endpoint, given), {
    method: endpoint.method,
    headers: {
      accept: "application/json",
      ...(file && { "content-type": file.headers.get("content-type") ?? "application/octet-stream" }),
      ...(given.body !== undefined && { "content-type": type }),
      ...headers,
      ...given.headers,
    },
    ...(given.body !== undefined && { body: encodeBody(given.body, type) }),
    ...(file && { body: new Uint8Array(await file.arrayBuffer()) }),
  })
  const text = await response.text()
  if (!response.ok && response.status !== 304) throw new Refused(readProblem(response, text), response.headers)
  return { value: parseValue(response, text), text, status: response.status, headers: response.headers }
}

/** Bytes are sent unchanged, everything else as a form where that is the usual type, and as JSON elsewhere. */
function encodeBody(body: unknown, type: string) {
  if (body instanceof Uint8Array) return body as Uint8Array<ArrayBuffer>
  return type === urlencodedType ? `${new URLSearchParams(body as Record<string, string>)}` : JSON.stringify(body)
}

function parseValue(response: FetchResponse, text: string) {
  try {
    return text === "" ? undefined : JSON.parse(text)
  } catch {
    throw new Refused(describeUnexpected(response, "with something other than JSON"), response.headers)
  }
}

type AnyRequest = { params?: object; query?: object; body?: unknown; upload?: File; headers?: Record<string, string> }

function buildUrl(url: string, endpoint: Endpoint, { params = {}, query = {} }: AnyRequest): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const item of [value].flat()) if (item !== undefined) parameters.append(name, String(item))
  const path = basePath + filledPath(endpoint.path, params as Record<string, unknown>)
  return url + path + (parameters.size > 0 ? `?${parameters}` : "")
}

/** The problem of a response; one is made for responses that are not the service's own, such as a proxy's. */
function readProblem(response: FetchResponse, text: string): ProblemDocument {
  const isProblem = response.headers.get("content-type")?.startsWith("application/problem+json")
  return isProblem ? JSON.parse(text) : describeUnexpected(response, "without saying why")
}

function describeUnexpected({ url, status, statusText }: FetchResponse, how: string): ProblemDocument {
  const { origin, pathname: instance } = new URL(url)
  const detail = `${origin} responded ${status} ${statusText} ${how}; is it a Petstore?`
  return {
    type: "about:blank",
    title: statusText,
    status,
    detail,
    instance,
    code: "unknown",
    message: detail,
    requestId: "",
  }
}
