import { randomBytes, timingSafeEqual } from "node:crypto"
import type { HttpResponse } from "../../kernel/http-response.ts"
import { Problem } from "../../kernel/problem.ts"
import { flowErrorPage } from "../../web/oauth/form-page.ts"
import type { Exchange } from "../exchange.ts"
import { readBody } from "../messages/body.ts"
import { cookieOf, setCookie } from "./cookies.ts"

const cookieName = "petstore_form"
const tokenBytes = 24
const formBytesMax = 16 * 1024

/**
 * The token a page's form must bring along, which only pages of ours can read: the browser keeps it in a cookie, so
 * nothing is stored here. `issuer` is the address of the authorization server.
 */
export function formToken(exchange: Exchange, issuer: string): string {
  const kept = keptToken(exchange)
  if (kept !== undefined) return kept
  const value = randomBytes(tokenBytes).toString("base64url")
  const { pathname: path, protocol } = new URL(issuer)
  exchange.header("set-cookie", setCookie({ name: cookieName, value, path, secure: protocol === "https:" }))
  return value
}

/** The form that was sent; undefined when it is not from a page of ours. */
export async function readOwnForm(exchange: Exchange, publicUrl: string): Promise<URLSearchParams | undefined> {
  const { origin } = exchange.request.headers
  if (origin !== undefined && origin !== new URL(publicUrl).origin)
    throw new Problem("forbidden", "This form can be sent from its own page only")
  const form = new URLSearchParams(String(await readBody(exchange.request, formBytesMax)))
  const [kept, sent] = [keptToken(exchange) ?? "", form.get("form") ?? ""].map((token) => Buffer.from(token)) as [
    Buffer,
    Buffer,
  ]
  return kept.length > 0 && kept.length === sent.length && timingSafeEqual(kept, sent) ? form : undefined
}

/** The page for what cannot go on, or was never begun here. */
export const expiredPage = (exchange: Exchange): HttpResponse =>
  privatePage(
    exchange,
    flowErrorPage({ error: "session_not_found", description: "This page has expired, or was opened elsewhere." }),
  )

/** A page that no page of another origin may read. */
export function privatePage(exchange: Exchange, page: HttpResponse): HttpResponse {
  exchange.isReadableAnywhere = false
  return page
}

/** Leads on after a form was sent. */
export const redirect = (url: string): HttpResponse => ({
  status: 303,
  headers: ["location", url, "cache-control", "no-store"],
  body: undefined,
})

function keptToken({ request }: Exchange): string | undefined {
  const token = cookieOf(request.headers.cookie, cookieName)
  return token !== undefined && /^[\w-]{32}$/.test(token) ? token : undefined
}
