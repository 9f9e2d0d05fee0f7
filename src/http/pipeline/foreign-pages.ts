// Decision: docs/decisions/sandbox.md#pages-of-other-sites-may-use-a-sandbox-but-not-administer-it

import type { IncomingHttpHeaders } from "node:http"
import { isIP } from "node:net"
import type { Endpoint } from "../../kernel/endpoint.ts"
import { isLoopback } from "../../kernel/network/ip-address.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Exchange, Resource } from "./exchange.ts"

/** Scopes of operations that make the service send requests, or that issue credentials which can. */
const administering: ReadonlySet<string> = new Set(["manage:webhooks", "manage:keys", "admin"])

/** Whether pages of other sites are refused this operation where the API keys are public. */
export const isAdministrative = (endpoint: Pick<Endpoint, "scope">): boolean => administering.has(endpoint.scope)

/**
 * Keeps pages of other sites from administering a service whose API keys are public. Such keys prove nothing, so the
 * guard checks where the page comes from: its `Origin`, and the `Host`, because a name may have been made to resolve
 * here (DNS rebinding). Clients other than browsers send no `Origin`.
 */
export const foreignPageGuard =
  (publicUrl: () => string) =>
  (exchange: Exchange, { routes }: Resource): void => {
    const { method, request } = exchange
    // For a preflight, the method that it asks about.
    const meant = method === "OPTIONS" ? request.headers["access-control-request-method"] : method
    if (meant === undefined || !routes.get(meant)?.isAdministrative) return
    const refusal = refusalOf(request.headers, publicUrl())
    if (refusal === undefined) return
    exchange.isReadableAnywhere = false
    throw new Problem("foreign-page", refusal)
  }

function refusalOf({ host = "", origin }: IncomingHttpHeaders, publicUrl: string): string | undefined {
  if (!isOurs(host, publicUrl))
    return `The request was sent to ${JSON.stringify(host)}, which is not this service: ${advice}`
  if (origin === undefined || isNear(origin, host, publicUrl)) return undefined
  return foreignOrigin(origin)
}

const advice =
  "only pages of this machine and of the service itself may do this; set PETSTORE_PUBLIC_URL to its address"
const foreignOrigin = (origin: string) => `The request comes from a page at ${JSON.stringify(origin)}: ${advice}`

/** A name without a dot, an address, or the public name. A foreign site has a name that is none of these. */
function isOurs(host: string, publicUrl: string): boolean {
  const hostname = URL.parse(`http://${host}`)?.hostname
  if (hostname === undefined) return host === ""
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, "")) !== 0
  return isAddress || isLoopback(hostname) || !hostname.includes(".") || hostname === URL.parse(publicUrl)?.hostname
}

/** Throws the 403 for a page whose `Origin` is neither this machine nor the service. */
export function refuseForeignOrigin(exchange: Exchange, publicUrl: string): void {
  const { origin, host = "" } = exchange.request.headers
  if (origin === undefined || isNear(origin, host, publicUrl)) return
  exchange.isReadableAnywhere = false
  throw new Problem("foreign-page", foreignOrigin(origin))
}

function isNear(origin: string, host: string, publicUrl: string): boolean {
  const page = URL.parse(origin)
  return page !== null && (isLoopback(page.hostname) || isOwnOrigin(origin, host, publicUrl))
}

/** Whether a page of this `Origin` came from the service: from its public address, or from the host of the request. */
export function isOwnOrigin(origin: string, host: string, publicUrl: string): boolean {
  const page = URL.parse(origin)
  return page !== null && (page.host === host || page.origin === URL.parse(publicUrl)?.origin)
}
