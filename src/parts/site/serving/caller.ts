import type { Admission } from "../../../core/api/admission/admission.ts"
import type { Api } from "../../../core/api/operations/api.ts"
import type { Invocable } from "../../../core/api/operations/invoke.ts"
import type { Caller } from "../../../core/domain/accounts/model.ts"
import type { ApiContract } from "../../../core/domain/api.ts"
import type { Endpoint } from "../../../core/kernel/endpoint/endpoint.ts"
import type { JsonResponse } from "../../../core/kernel/endpoint/json-response.ts"
import { encodeCursor } from "../../../core/kernel/endpoint/page.ts"
import { totalIn } from "../../../core/kernel/endpoint/total.ts"
import { jsonType } from "../../../core/kernel/network/media-types.ts"
import { filledPath } from "../../../core/kernel/network/path.ts"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"
import type { ApiRequest, Called, Calls } from "./call.ts"

type CallOptions = {
  params?: object
  query?: object
  body?: unknown
  ifMatch?: string
  idempotencyKey?: string
  counts?: true
}
/** A caller whose credential was checked, and the token of a session. */
type By = { caller: Caller; token?: string | undefined }
type CallAs = (exchange: Exchange, by: By | undefined, options?: CallOptions) => Promise<Called<unknown>>

/**
 * Runs operations for pages with the same checks as for a request: a page is not trusted. Without `by`, as an anonymous client.
 * `prefix` stands before the base path of the API at another store than the main one.
 */
export function callerOf<Endpoints extends Record<string, Endpoint> = ApiContract>(
  { invocables, receive }: Pick<Api, "invocables" | "receive">,
  admit: Admission["admitKnown"],
  prefix?: string,
): (exchange: Exchange, by?: By) => Calls<Endpoints> {
  const calls = invocables.map((one) => [one.name, callOf(one, admit, receive, prefix)] as const)
  return (exchange, by) =>
    Object.fromEntries(
      calls.map(([name, callAs]) => [name, (options?: CallOptions) => callAs(exchange, by, options)]),
    ) as Calls<Endpoints>
}

function callOf(
  { endpoint, readParameters, invoke }: Invocable,
  admit: Admission["admitKnown"],
  receive: Api["receive"],
  prefix: string | undefined,
): CallAs {
  const { method, path: url, consumes } = endpoint
  const type = consumes?.find((each) => /[/+]json$/.test(each)) ?? jsonType

  return async (
    { request, address, id },
    by,
    { params = {}, query = {}, body, ifMatch, idempotencyKey, counts } = {},
  ) => {
    const caller = by?.caller
    await admit({ address, caller }, endpoint)
    const headers = {
      "content-type": type,
      ...(by?.token !== undefined && { authorization: `Bearer ${by.token}` }),
      ...(ifMatch !== undefined && { "if-match": ifMatch }),
      ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
      ...(counts && { prefer: "count=exact" }),
    }
    const search = toQuery(query)
    const parameters = readParameters({ params: toTexts(params), query: `${search}` })
    const received = Buffer.from(body === undefined ? "" : JSON.stringify(body))
    const upload = endpoint.upload && receive({ request, caller }, endpoint.upload)
    const result = await invoke(
      { address, id, caller, request: { method, url, headers } },
      { parameters, received, upload },
    )
    return toCalled(result, {
      prefix,
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
