import type { HttpResponse } from "../../../core/kernel/network/http-response.ts"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"
import { privatePage } from "../../../core/server/writing/page-response.ts"
import { flowErrorPage } from "../pages/form-page.ts"

/** The page for an interaction that has expired, or that another browser started. */
export const expiredPage = (exchange: Exchange): HttpResponse =>
  privatePage(
    exchange,
    flowErrorPage({ error: "session_not_found", description: "This page has expired, or was opened elsewhere." }),
  )
