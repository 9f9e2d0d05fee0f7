import type { HttpResponse } from "../../kernel/network/http-response.ts"
import type { Exchange } from "../../server/exchange/exchange.ts"
import { privatePage } from "../../server/writing/page-response.ts"
import { flowErrorPage } from "../pages/oauth/form-page.ts"

/** The page for an interaction that has expired, or that another browser started. */
export const expiredPage = (exchange: Exchange): HttpResponse =>
  privatePage(
    exchange,
    flowErrorPage({ error: "session_not_found", description: "This page has expired, or was opened elsewhere." }),
  )
