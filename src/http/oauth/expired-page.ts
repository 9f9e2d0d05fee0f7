import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { flowErrorPage } from "../../web/oauth/form-page.ts"
import type { Exchange } from "../pipeline/exchange.ts"
import { privatePage } from "../writing/page-response.ts"

/** The page for an interaction that has expired, or that another browser started. */
export const expiredPage = (exchange: Exchange): HttpResponse =>
  privatePage(
    exchange,
    flowErrorPage({ error: "session_not_found", description: "This page has expired, or was opened elsewhere." }),
  )
