import { hash } from "node:crypto"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import type { Exchange } from "../exchange/exchange.ts"
import { isUnchanged } from "../reading/conditional-requests.ts"
import { baseAtFinalSlash } from "./final-slash.ts"

/**
 * The page with an `ETag`, a hash of what is sent; 304 without a body when the client has it (RFC 9110 section 13.1.2). A page that
 * may not be stored, a stream and a failure have none.
 */
export function validatePage({ request, path }: Exchange, response: HttpResponse): HttpResponse {
  const page = baseAtFinalSlash(path, response)
  const { status, headers, body } = page
  const isWhole = typeof body === "string" || body instanceof Uint8Array
  if (status !== 200 || !isWhole || headers.includes("no-store")) return page
  const etag = etagOf(body)
  if (isUnchanged(request.headers, etag))
    return { status: 304, headers: [...withoutContent(headers), "etag", etag], body: undefined }
  return { status, headers: [...headers, "etag", etag], body }
}

/** The tags of the bodies that are served from memory, which are the same object each time. */
const etags = new WeakMap<Uint8Array, string>()

function etagOf(body: string | Uint8Array): string {
  const known = typeof body === "string" ? undefined : etags.get(body)
  if (known !== undefined) return known
  const etag = `"${hash("sha256", body).slice(0, 32)}"`
  if (typeof body !== "string") etags.set(body, etag)
  return etag
}

/** Without the fields that describe a body. */
const withoutContent = (headers: readonly string[]): string[] =>
  headers.flatMap((value, n) => {
    const name = n % 2 === 0 ? value : (headers[n - 1] as string)
    return name === "content-type" || name === "content-encoding" || name === "content-length" ? [] : [value]
  })
