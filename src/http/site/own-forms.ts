import { Problem } from "../../kernel/problem.ts"
import type { Exchange } from "../pipeline/exchange.ts"
import { isOwnOrigin } from "../pipeline/foreign-pages.ts"
import { readBody } from "../reading/body.ts"
import { mediaTypeOf } from "../reading/media-type.ts"
import { isToken } from "./form-token.ts"

/** Of somebody who is signed in: a pet with 50 long URLs fits. */
const formBytesMax = 256 * 1024

/** Throws the 403 for a form of a page of somebody else, as its browser tells (`Origin`, and `Sec-Fetch-Site` of Fetch Metadata). */
export function requireOwnPage({ request: { headers } }: Exchange, publicUrl: string): void {
  const { origin, host = "", "sec-fetch-site": site = "same-origin" } = headers
  const isOwn = origin === undefined || isOwnOrigin(origin, host, publicUrl)
  if (!isOwn || !["same-origin", "none"].includes(String(site)))
    throw new Problem("foreign-page", "This form can be sent from its own page only")
}

/**
 * The fields of a form of the session with this form token; undefined for a form of another one. Of `multipart/form-data` they are in the address, because the
 * operation reads the body itself.
 */
export async function readSessionForm(
  exchange: Exchange,
  token: string,
  takesFile: boolean,
): Promise<URLSearchParams | undefined> {
  const isMultipart = mediaTypeOf(exchange.request.headers["content-type"]) === "multipart/form-data"
  const form = new URLSearchParams(
    isMultipart && takesFile ? exchange.query : String(await readBody(exchange.request, formBytesMax)),
  )
  return isToken(form.get("form"), token) ? form : undefined
}
