import type { IncomingMessage } from "node:http"
import { isIPv6 } from "node:net"
import { Problem } from "../../kernel/problem.ts"

/** RFC 9112 section 3.2: refuses a request of HTTP/1.1 without Host, and any with more than one or with one that is no host and port. */
export function requireHost({ rawHeaders, httpVersion }: IncomingMessage): void {
  let hosts = 0
  for (let n = 0; n < rawHeaders.length; n += 2)
    if (isHost(rawHeaders[n] as string)) {
      hosts++
      requireWellFormed(rawHeaders[n + 1] as string)
    }
  if (hosts > 1) throw new Problem("malformed-request", "The header Host appears more than once")
  if (hosts === 0 && httpVersion === "1.1") throw new Problem("malformed-request", "The header Host is missing")
}

/** RFC 3986 section 3.2: a name, which may be empty, or an address in brackets; and a port. */
const hostAndPort =
  /^(?:\[([\da-f:.]+|v[\da-f]+\.[\w.~!$&'()*+,;=:-]+)\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i

function requireWellFormed(host: string): void {
  const [found, literal] = hostAndPort.exec(host) ?? []
  if (found === undefined || (literal && /^[^v]/i.test(literal) && !isIPv6(literal)))
    throw new Problem("malformed-request", "The header Host is not a host and a port (RFC 3986 section 3.2)")
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
