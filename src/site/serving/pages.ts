import type { HttpResponse } from "../../kernel/network/http-response.ts"
import type { Exchange } from "../../server/exchange/exchange.ts"
import type { Router } from "../../server/exchange/router.ts"
import { validatePage } from "../../server/writing/validate-page.ts"
import type { SitePage } from "../pages/site.ts"

export function addPages(
  router: Router,
  pages: readonly SitePage[],
  respondNotFound: (exchange: Exchange) => HttpResponse,
) {
  for (const { path, respond } of pages)
    router.add(["GET"], path, {
      admission: "files",
      async handle(exchange) {
        const acceptsGzip = /\bgzip\b/.test(String(exchange.request.headers["accept-encoding"]))
        const page = await respond({ params: exchange.params, query: exchange.query, acceptsGzip })
        return page ? validatePage(exchange, page) : respondNotFound(exchange)
      },
    })
}
