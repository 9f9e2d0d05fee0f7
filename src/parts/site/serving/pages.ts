import type { Caller } from "../../../core/domain/accounts/model.ts"
import type { Awaitable } from "../../../core/kernel/flow/awaitable.ts"
import type { HttpResponse } from "../../../core/kernel/network/http-response.ts"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"
import type { Router } from "../../../core/server/exchange/router.ts"
import { validatePage } from "../../../core/server/writing/validate-page.ts"

/** A page at a path (`:name` is a parameter). `respond` returns undefined for 404. */
export type SitePage = {
  path: string
  respond(request: {
    params: Readonly<Record<string, string | undefined>>
    query: string
    exchange: Exchange<Caller>
    acceptsGzip: boolean
  }): Awaitable<HttpResponse | undefined>
}

export type Serving = {
  respondNotFound(exchange: Exchange): Awaitable<HttpResponse>
  /** Whether people read them; programs read the others. */
  isPage?: boolean
}

export function addPages(
  router: Router,
  pages: readonly SitePage[],
  { respondNotFound, isPage = false }: Serving,
): void {
  for (const { path, respond } of pages)
    router.add(["GET"], path, {
      admission: "files",
      isPage,
      async handle(exchange: Exchange<Caller>) {
        // A page at a final slash is changed before it is sent.
        const acceptsGzip =
          !exchange.path.endsWith("/") && /\bgzip\b/.test(String(exchange.request.headers["accept-encoding"]))
        const page = await respond({ params: exchange.params, query: exchange.query, exchange, acceptsGzip })
        return page ? validatePage(exchange, page) : respondNotFound(exchange)
      },
    })
}
