import type { HttpResponse } from "../../kernel/network/http-response.ts"

/**
 * A page at a path with a final slash. It names the path without one as the base of its links, which are relative; its content
 * security policy forbids that to every other page.
 */
export function baseAtFinalSlash(path: string, response: HttpResponse): HttpResponse {
  const { headers, body } = response
  const isText = typeof body === "string" || body instanceof Uint8Array
  if (path.length === 1 || !path.endsWith("/") || !isText || !isHtml(headers)) return response
  const last = encodeURIComponent(decodeURIComponent(path.slice(path.lastIndexOf("/", path.length - 2) + 1, -1)))
  return {
    ...response,
    headers: headers.map((value) => value.replace("base-uri 'none'", "base-uri 'self'")),
    body: body.toString().replace("<head>", `<head>\n<base href="../${last}">`),
  }
}

const isHtml = (headers: readonly string[]): boolean => headers.some((value) => value.startsWith("text/html"))
