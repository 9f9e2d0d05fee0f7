import { randomBytes, timingSafeEqual } from "node:crypto"
import type { FastifyReply, FastifyRequest } from "fastify"
import type { HttpResponse } from "../../kernel/http-response.ts"
import { Problem } from "../../kernel/problem.ts"
import { flowErrorPage } from "../../web/oauth/form-page.ts"
import { sendResponse } from "../messages/send-response.ts"
import type { AddressLimit } from "../rate-limiting/ip-rate-limit.ts"
import { cookieOf, setCookie } from "./cookies.ts"

const cookieName = "petstore_form"
const tokenBytes = 24
const formBytesMax = 16 * 1024

/** What every page of the authorization server is served with: counted by address, and its form is small. */
export const pageOptions = (byAddress: AddressLimit) => ({
  bodyLimit: formBytesMax,
  onRequest: (request: FastifyRequest) => byAddress("anonymous", request),
})

/**
 * The token a page's form must bring along, which only pages of ours can read: the browser keeps it in a cookie, so
 * nothing is stored here. `issuer` is the address of the authorization server.
 */
export function formToken(request: FastifyRequest, reply: FastifyReply, issuer: string): string {
  const kept = keptToken(request)
  if (kept !== undefined) return kept
  const value = randomBytes(tokenBytes).toString("base64url")
  const { pathname: path, protocol } = new URL(issuer)
  reply.header("set-cookie", setCookie({ name: cookieName, value, path, secure: protocol === "https:" }))
  return value
}

/** The form that was sent, when it is from a page of ours; sends a page that says what to do, and undefined, otherwise. */
export function ownForm(request: FastifyRequest, reply: FastifyReply, publicUrl: string): URLSearchParams | undefined {
  const { origin } = request.headers
  if (origin !== undefined && origin !== new URL(publicUrl).origin)
    throw new Problem("forbidden", "This form can be sent from its own page only")
  const form = new URLSearchParams(String(request.body ?? ""))
  const [kept, sent] = [keptToken(request) ?? "", form.get("form") ?? ""].map((token) => Buffer.from(token)) as [
    Buffer,
    Buffer,
  ]
  if (kept.length > 0 && kept.length === sent.length && timingSafeEqual(kept, sent)) return form
  sendExpired(reply)
  return undefined
}

export const sendExpired = (reply: FastifyReply): FastifyReply =>
  sendPage(
    reply,
    flowErrorPage({ error: "session_not_found", description: "This page has expired, or was opened elsewhere." }),
  )

export const sendPage = (reply: FastifyReply, page: HttpResponse): FastifyReply =>
  sendResponse(reply.removeHeader("access-control-allow-origin"), page)

/** Leads on after a form was sent. */
export const leadOn = (reply: FastifyReply, url: string): FastifyReply =>
  reply.header("cache-control", "no-store").redirect(url, 303)

function keptToken({ headers }: FastifyRequest): string | undefined {
  const token = cookieOf(headers.cookie, cookieName)
  return token !== undefined && /^[\w-]{32}$/.test(token) ? token : undefined
}
