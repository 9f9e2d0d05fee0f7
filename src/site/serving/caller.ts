import type { Api } from "../../api/operations/api.ts"
import type { Invocable } from "../../api/operations/invoke.ts"
import type { Endpoint } from "../../kernel/endpoint/endpoint.ts"
import type { JsonResponse } from "../../kernel/endpoint/json-response.ts"
import { encodeCursor } from "../../kernel/endpoint/page.ts"
import { totalIn } from "../../kernel/endpoint/total.ts"
import type { Awaitable } from "../../kernel/flow/awaitable.ts"
import { jsonType } from "../../kernel/network/media-types.ts"
import { filledPath } from "../../kernel/network/path.ts"
import type { Exchange } from "../../server/exchange/exchange.ts"
import type { ApiRequest, Call, Called } from "../pages/console/call.ts"

/** The visitor of a page: the request, and the session token of a signed-in person. */
export type Visitor = Pick<Exchange, "request" | "address" | "id" | "caller"> & { token: string | undefined }

type CallOptions = {
  params?: object
  query?: object
  body?: unknown
  ifMatch?: string
  idempotencyKey?: string
  counts?: true
}
type CallAs = (visitor: Visitor, options?: CallOptions) => Promise<Called<unknown>>

type CallerDeps = Pick<Api, "invocables" | "receive"> & {
  /** The name of the sandbox, unless it is the service's own. */
  sandbox?: string | undefined
  /** Throws unless the visitor may run the operation. */
  admit(visitor: Visitor, endpoint: Endpoint): Awaitable<void>
}

/** Runs operations for pages with the same checks as for a request: a page is not trusted. */
export function callerOf({ invocables, ...deps }: CallerDeps): (visitor: Visitor) => Call {
  const calls = invocables.map((one) => [one.name, callOf(one, deps)] as const)
  return (visitor) =>
    Object.fromEntries(
      calls.map(([name, callAs]) => [name, (options?: CallOptions) => callAs(visitor, options)]),
    ) as unknown as Call
}

function callOf(
  { endpoint, readParameters, invoke }: Invocable,
  { admit, receive, sandbox }: Omit<CallerDeps, "invocables">,
): CallAs {
  const { method, path: url, consumes } = endpoint
  const type = consumes?.find((each) => /[/+]json$/.test(each)) ?? jsonType

  return async (visitor, { params = {}, query = {}, body, ifMatch, idempotencyKey, counts } = {}) => {
    await admit(visitor, endpoint)
    const headers = {
      "content-type": type,
      ...(visitor.token !== undefined && { authorization: `Bearer ${visitor.token}` }),
      ...(ifMatch !== undefined && { "if-match": ifMatch }),
      ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
      ...(counts && { prefer: "count=exact" }),
    }
    const { address, id, caller } = visitor
    const search = toQuery(query)
    const parameters = readParameters({ params: toTexts(params), query: `${search}` })
    const received = Buffer.from(body === undefined ? "" : JSON.stringify(body))
    const upload = endpoint.upload && receive(visitor, endpoint.upload)
    const result = await invoke(
      { address, id, caller, request: { method, url, headers } },
      { parameters, received, upload },
    )
    return toCalled(result, {
      sandbox,
      method,
      target: filledPath(url, { ...params }) + (search.size > 0 ? `?${search}` : ""),
    })
  }
}

const toTexts = (params: object) =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]))

function toQuery(query: object): URLSearchParams {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const item of [value].flat()) if (item !== undefined) parameters.append(name, String(item))
  return parameters
}

const toCalled = (
  { json, headers, etag, next, isReplayed }: JsonResponse<unknown>,
  request: ApiRequest,
): Called<unknown> => ({
  request,
  isReplayed,
  total: totalIn(headers),
  value: JSON.parse(json),
  etag,
  next: next === undefined ? undefined : encodeCursor(typeof next === "number" ? { sort: "-id", id: next } : next),
})
