import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { reloadPage } from "../../web/console/outside.ts"
import type { Exchange } from "../pipeline/exchange.ts"
import { redirect } from "../writing/page-response.ts"
import { rootOf } from "./cookies.ts"

/** Has somebody sign in first, and come back to the page they asked for. */
export function toSignIn({ request, method, path, query }: Exchange, publicUrl: string): HttpResponse {
  // A link on another site brings no strict cookie along; a page of ours that asks again does.
  if (method === "GET" && request.headers["sec-fetch-site"] === "cross-site") return reloadPage()
  const wanted = path.replace(/^\/console/, "") + (query === "" ? "" : `?${query}`)
  const isPage = wanted !== "" && (method === "GET" || method === "HEAD")
  return redirect(`${rootOf(publicUrl)}/sign-in${isPage ? `?${new URLSearchParams({ next: wanted })}` : ""}`)
}
