import type { JsonResponse } from "../../kernel/endpoint/json-response.ts"
import { type Cursor, encodeCursor } from "../../kernel/endpoint/page.ts"
import { memoize } from "../../kernel/flow/memoize.ts"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { jsonType } from "../../kernel/network/media-types.ts"
import type { Exchange } from "../exchange/exchange.ts"
import { isUnchanged } from "../reading/conditional-requests.ts"

/** Makes an endpoint's response from the result of its operation: JSON, entity tag, link to the next page, or a 304. */
export const jsonResponse =
  ({ status, cacheControl, publicUrl }: { status: number; cacheControl: string; publicUrl(): string }) =>
  (exchange: Exchange, { json, etag, next, headers: further }: JsonResponse<unknown>): HttpResponse => {
    const headers = ["cache-control", cacheControl]
    for (const name in further) {
      const value = further[name] as string
      headers.push(name.toLowerCase(), name === "location" && value.startsWith("/") ? exchange.outside(value) : value)
    }
    if (next !== undefined) headers.push("link", `<${publicUrl()}${nextPage(exchange, next)}>; rel="next"`)
    if (etag !== undefined) headers.push("etag", etag)
    const isRead = exchange.method === "GET" || exchange.method === "HEAD"
    if (isRead && isUnchanged(exchange.request.headers, etag)) return { status: 304, headers, body: undefined }
    headers.push("content-type", jsonType)
    return { status, headers, body: json }
  }

function nextPage({ path, query }: Exchange, next: number | Cursor): string {
  // Pages of a list that differ in the cursor alone share what is memoized.
  const list = `${path}?${query.replace(plainCursor, "")}`
  return withoutCursor(list) + encodeCursor(typeof next === "number" ? { sort: "-id", id: next } : next)
}

const plainCursor = /&cursor=[^&]*/g

/** A request target whose query ends with an empty `cursor`. */
const withoutCursor = memoize(
  (target) => {
    const [path, query] = target.split(/\?(.*)/s) as [string, string]
    const others = query.split("&").filter((pair) => pair !== "" && nameIn(pair) !== "cursor")
    return `${path}?${[...others, "cursor="].join("&")}`.replace(notInUris, encodeURIComponent)
  },
  { entriesMax: 100, lengthMax: 250 },
)

/** Characters that Node accepts in a request target and RFC 3986 does not, and `#`, which would start a fragment. */
const notInUris = /[^\w\-.~:/?[\]@!$&'()*+,;=%]/g

const nameIn = (pair: string): string => decodeURIComponent(pair.split("=", 1)[0] as string)
