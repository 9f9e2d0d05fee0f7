import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { basePath } from "../../kernel/network/path.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Exchange } from "../exchange/exchange.ts"
import { prefersHtml } from "../reading/content-negotiation.ts"

export type NotFoundPage = (path: string, docsPath: string | undefined) => HttpResponse

/** Responds to an unknown path: with a page for a browser outside the API, otherwise with a problem. */
export const notFound =
  (page: NotFoundPage | undefined, docsPath: string | undefined) =>
  ({ path, request }: Exchange): HttpResponse => {
    if (page && prefersHtml(request.headers.accept) && !path.startsWith(basePath)) return page(path, docsPath)
    throw new Problem("not-found", `There is no resource at ${path}${docsPath ? `; see ${docsPath}` : ""}`)
  }
