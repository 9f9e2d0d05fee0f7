import type { Awaitable } from "../../kernel/flow/awaitable.ts"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { basePath } from "../../kernel/network/path.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Exchange } from "../exchange/exchange.ts"
import { prefersHtml } from "../reading/content-negotiation.ts"

export type NotFoundPage = (exchange: Exchange) => Awaitable<HttpResponse>

/** Responds to an unknown path: with a page for a browser outside the API, otherwise with a problem. */
export const notFound =
  (page: NotFoundPage | undefined, docsPath: string | undefined) =>
  (exchange: Exchange): Awaitable<HttpResponse> => {
    const { path, request } = exchange
    if (page && prefersHtml(request.headers.accept) && !path.startsWith(basePath)) return page(exchange)
    throw new Problem("not-found", `There is no resource at ${path}${docsPath ? `; see ${docsPath}` : ""}`)
  }
