// Decision: docs/decisions/console.md#form-tokens-are-signed-with-the-session-token-and-stored-nowhere

import { createHmac, randomBytes, timingSafeEqual } from "node:crypto"
import { Problem } from "../../../core/kernel/problem.ts"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"
import { isOwnOrigin } from "../../../core/server/pipeline/foreign-pages.ts"
import { readRequestBody } from "../../../core/server/reading/body.ts"
import { cookieOf, setCookie } from "../../../core/server/reading/cookies.ts"
import { mediaTypeOf } from "../../../core/server/reading/media-type.ts"

const cookieName = "petstore_form"
/** The maximum before and after sign-in, in bytes: a pet with 50 long URLs fits. */
const formBytesMax = { browser: 16 * 1024, session: 256 * 1024 }

/**
 * The token of forms before sign-in, which only pages of the service can read. A cookie keeps it, so the service stores nothing.
 * `address` is the URL below which the cookie is sent.
 */
export function browserToken(exchange: Exchange, address: string): string {
  const kept = keptToken(exchange)
  if (kept !== undefined) return kept
  const value = randomBytes(24).toString("base64url")
  const { pathname: path, protocol } = new URL(address)
  const secure = protocol === "https:"
  exchange.header("set-cookie", setCookie({ name: cookieName, value, path, sameSite: "lax", secure }))
  return value
}

/** The token of a session's forms. */
export const sessionToken = (session: string): string => sign(session, "form")

type FormGuard = {
  publicUrl: string
  /** The token of the form's session; the browser's token when absent. */
  token?: string | undefined
  /** Whether the operation reads a `multipart/form-data` body itself: the fields are then in the address. */
  takesFile?: boolean
}

/**
 * The fields of a form from a page of the service. Throws the 403 when the browser reports another origin; undefined when the
 * token of the session or browser is missing.
 */
export async function readForm(exchange: Exchange, guard: FormGuard): Promise<URLSearchParams | undefined> {
  requireOwnPage(exchange, guard.publicUrl)
  const { request, query } = exchange
  const isInAddress = guard.takesFile && mediaTypeOf(request.headers["content-type"]) === "multipart/form-data"
  const bytesMax = guard.token === undefined ? formBytesMax.browser : formBytesMax.session
  const form = new URLSearchParams(isInAddress ? query : String(await readRequestBody(request, bytesMax)))
  return isSame(form.get("form"), guard.token ?? keptToken(exchange)) ? form : undefined
}

/** Throws the 403 for a form that a page of another site sends. */
export function requireOwnPage(exchange: Exchange, publicUrl: string): void {
  if (!isOwnPage(exchange, publicUrl)) throw new Problem("foreign-page", "This form can only be sent from its own page")
}

/** Whether a form comes from a page of the service, by `Origin` and by `Sec-Fetch-Site` (Fetch Metadata). */
function isOwnPage({ request: { headers } }: Exchange, publicUrl: string): boolean {
  const { origin, host = "", "sec-fetch-site": site = "same-origin" } = headers
  const isOwn = origin === undefined || isOwnOrigin(origin, host, publicUrl)
  return isOwn && ["same-origin", "none"].includes(String(site))
}

/** A form of this size fits into a cookie. */
const keptBytesMax = 2_800
const isSecret = (field: string): boolean => /password|secret/i.test(field)

/**
 * The fields of a form that was sent after its session had ended: none of a form with a secret, of one that does not fit into a cookie, or
 * of one with a file. Undefined for a form of another site.
 */
export async function readEndedForm(exchange: Exchange, publicUrl: string): Promise<URLSearchParams | undefined> {
  if (!isOwnPage(exchange, publicUrl)) return undefined
  const { "content-length": length, "content-type": type } = exchange.request.headers
  const isKept = mediaTypeOf(type) === "application/x-www-form-urlencoded" && Number(length) <= keptBytesMax
  const fields = new URLSearchParams(isKept ? String(await readRequestBody(exchange.request, keptBytesMax)) : "")
  fields.delete("form")
  return [...fields.keys()].some(isSecret) ? new URLSearchParams() : fields
}

/** Signs a text with the session token, so that only its holder could forge the signature. */
export const sign = (session: string, text: string): string =>
  createHmac("sha256", session).update(text).digest("base64url")

/** Compares a secret in constant time. */
export function isSame(sent: string | null, expected: string | undefined): boolean {
  const [one, other] = [Buffer.from(sent ?? ""), Buffer.from(expected ?? "")]
  return other.length > 0 && one.length === other.length && timingSafeEqual(one, other)
}

function keptToken({ request }: Exchange): string | undefined {
  const token = cookieOf(request.headers.cookie, cookieName)
  return token !== undefined && /^[\w-]{32}$/.test(token) ? token : undefined
}
