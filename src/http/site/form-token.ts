import { randomBytes, timingSafeEqual } from "node:crypto"
import type { Exchange } from "../pipeline/exchange.ts"
import { readBody } from "../reading/body.ts"
import { cookieOf, setCookie } from "../reading/cookies.ts"

const cookieName = "petstore_form"
const tokenBytes = 24
const formBytesMax = 16 * 1024

/**
 * The token a page's form must bring along, which only pages of ours can read: the browser keeps it in a cookie, so
 * nothing is stored here. `address` is the one below which the cookie is sent.
 */
export function formToken(exchange: Exchange, address: string): string {
  const kept = keptToken(exchange)
  if (kept !== undefined) return kept
  const value = randomBytes(tokenBytes).toString("base64url")
  const { pathname: path, protocol } = new URL(address)
  const secure = protocol === "https:"
  exchange.header("set-cookie", setCookie({ name: cookieName, value, path, sameSite: "lax", secure }))
  return value
}

/** The form that was sent; undefined when it is not from a page this browser was shown. */
export async function readTokenForm(exchange: Exchange): Promise<URLSearchParams | undefined> {
  const form = new URLSearchParams(String(await readBody(exchange.request, formBytesMax)))
  return isToken(form.get("form"), keptToken(exchange)) ? form : undefined
}

/** Whether what was sent is the token that is expected, compared in the same time wherever they differ. */
export function isToken(sent: string | null, expected: string | undefined): boolean {
  const [one, other] = [Buffer.from(sent ?? ""), Buffer.from(expected ?? "")]
  return other.length > 0 && one.length === other.length && timingSafeEqual(one, other)
}

function keptToken({ request }: Exchange): string | undefined {
  const token = cookieOf(request.headers.cookie, cookieName)
  return token !== undefined && /^[\w-]{32}$/.test(token) ? token : undefined
}
