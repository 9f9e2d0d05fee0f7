import type { IncomingMessage } from "node:http"
import { Problem } from "../../kernel/problem.ts"

/** RFC 9112 section 3.2: refuses a request of HTTP/1.1 without Host, and any with more than one. */
export function requireOneHost({ rawHeaders, httpVersion }: IncomingMessage): void {
  let hosts = 0
  for (let n = 0; n < rawHeaders.length; n += 2) if (isHost(rawHeaders[n] as string)) hosts++
  if (hosts > 1) throw new Problem("malformed-request", "The header Host appears more than once")
  if (hosts === 0 && httpVersion === "1.1") throw new Problem("malformed-request", "The header Host is missing")
}

const isHost = (name: string): boolean => name.length === 4 && name.toLowerCase() === "host"

/** Refuses an address that cannot be decoded; the router and the query parser would leave it encoded. */
export function requirePercentEncoding({ url = "" }: IncomingMessage): void {
  // Most addresses have nothing to decode.
  if (!url.includes("%")) return
  try {
    decodeURIComponent(url)
  } catch {
    throw new Problem("malformed-request", "The address is not correctly percent-encoded UTF-8")
  }
}

/** Whether a request has a body (RFC 9112 section 6.3). */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"]) > 0
