import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { Problem } from "../../kernel/problem.ts"
import { flowErrorPage } from "../../web/oauth/form-page.ts"
import type { Exchange } from "../pipeline/exchange.ts"
import { readTokenForm } from "../site/form-token.ts"
import { privatePage } from "../writing/page-response.ts"

/** The form that was sent; undefined when it is not from a page of ours. */
export async function readOwnForm(exchange: Exchange, publicUrl: string): Promise<URLSearchParams | undefined> {
  const { origin } = exchange.request.headers
  if (origin !== undefined && origin !== new URL(publicUrl).origin)
    throw new Problem("forbidden", "This form can be sent from its own page only")
  return readTokenForm(exchange)
}

/** The page for what cannot go on, or was never begun here. */
export const expiredPage = (exchange: Exchange): HttpResponse =>
  privatePage(
    exchange,
    flowErrorPage({ error: "session_not_found", description: "This page has expired, or was opened elsewhere." }),
  )
