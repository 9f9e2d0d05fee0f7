// Decision: docs/decisions/http.md#pages-of-other-sites-may-use-public-keys-but-not-administer

import type { IncomingHttpHeaders } from "node:http"
import { isIP } from "node:net"
import type { Endpoint } from "../../kernel/endpoint/endpoint.ts"
import { memoize } from "../../kernel/flow/memoize.ts"
import { isLoopback } from "../../kernel/network/ip-address.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Exchange, Resource } from "../exchange/exchange.ts"

/** Scopes of operations that make the service send requests, or that issue credentials which can. */
const administering: ReadonlySet<string> = new Set(["manage:webhooks", "manage:keys", "admin"])

/** Whether pages of other sites are refused this operation where the API keys are public. */
export const isAdministrative = (endpoint: Pick<Endpoint, "scope">): boolean => administering.has(endpoint.scope)

/**
 * Keeps pages of other sites from administering a service whose API keys are public. Such keys prove nothing, so the
 * guard checks where the page comes from: its `Origin`, and the `Host`, because a name may have been made to resolve
 * here (DNS rebinding). Clients other than browsers send no `Origin`. Where requests need no credential, an image or a form of
 * any page makes changes, so the guard checks those too. `hosts` are names of the service besides that of the public URL.
 */
export const foreignPageGuard =
  (publicUrl: () => string, hosts: readonly string[], needsCredential: boolean) =>
  (exchange: Exchange, { routes }: Resource): void => {
    const { method, request } = exchange
    // For a preflight, the method that it asks about.
    const meant = method === "OPTIONS" ? request.headers["access-control-request-method"] : method
    const route = meant === undefined ? undefined : routes.get(meant)
    if (route?.isAdministrative) refuse(exchange, refusalOf(request.headers, publicUrl(), hosts))
    else if (route?.isChange && !needsCredential && !hasCredential(request.headers))
      refuseForeignPage(exchange, publicUrl())
  }

function refuse(exchange: Exchange, refusal: string | undefined): void {
  if (refusal === undefined) return
  exchange.isReadableAnywhere = false
  throw new Problem("foreign-page", refusal)
}

/** Whether the request has a header that neither an image nor a form can send, or is the preflight of one that has. */
const hasCredential = ({ api_key: key, authorization, "access-control-request-headers": asked }: IncomingHttpHeaders) =>
  key !== undefined || authorization !== undefined || /\b(api_key|authorization)\b/i.test(asked ?? "")

function refusalOf(
  { host = "", origin }: IncomingHttpHeaders,
  publicUrl: string,
  hosts: readonly string[],
): string | undefined {
  if (!isOurs(host, publicUrl, hosts))
    return `The request was sent to ${JSON.stringify(host)}, which is not this service: ${advice}, or add it to PETSTORE_HOSTS`
  if (origin === undefined || isNear(origin, host, publicUrl)) return undefined
  return foreignOrigin(origin)
}

const advice =
  "only pages of this machine and of the service itself may do this; set PETSTORE_PUBLIC_URL to its address"
const foreignOrigin = (origin: string) => `The request comes from a page at ${JSON.stringify(origin)}: ${advice}`

/**
 * A name without a dot, an address, a reserved name, the public name, or one that the operator names. A foreign site has a name that is none of these: a
 * reserved name cannot be registered and made to resolve here.
 */
function isOurs(host: string, publicUrl: string, hosts: readonly string[]): boolean {
  const hostname = hostnameOf(`http://${host}`)
  if (hostname === undefined) return host === ""
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, "")) !== 0
  const isNamed = hosts.includes(hostname) || hostname === hostnameOf(publicUrl)
  return isAddress || isNamed || !hostname.includes(".") || reserved.test(hostname)
}

/**
 * Names that no public DNS has: RFC 6761 (`test`, `localhost`), RFC 6762 (`local`, also of Kubernetes' `svc.cluster.local`), RFC 8375
 * (`home.arpa`), ICANN's private-use `internal`, as in `host.docker.internal`, and the short names of Kubernetes: `petstore.default.svc`,
 * and `petstore.default` of the namespace `default`. Other namespaces may be names of public DNS, such as `dev`.
 */
const reserved = /\.(test|localhost|local|home\.arpa|internal|svc|default)$/

/** The host of a URL, without the final dot of a fully qualified name. */
const hostnameOf = (url: string): string | undefined => hostnames(url).hostname

const hostnames = memoize((url) => ({ hostname: URL.parse(url)?.hostname.replace(/\.$/, "") }), {
  entriesMax: 100,
  lengthMax: 256,
})

/**
 * Throws the 403 for a page of another site: by its `Origin`; by `Sec-Fetch-Site` (Fetch Metadata) for images and links, with which
 * browsers send no `Origin`. Without `trustsHost` a page of the `Host` is foreign too, unless that is the public address: its name may
 * have been made to resolve here (DNS rebinding).
 */
export function refuseForeignPage(exchange: Exchange, publicUrl: string, { trustsHost = true } = {}): void {
  const { origin, "sec-fetch-site": site } = exchange.request.headers
  const host = (trustsHost && exchange.request.headers.host) || ""
  if (origin === undefined) refuse(exchange, isOtherSite(site) ? foreignSite : undefined)
  else refuse(exchange, isNear(origin, host, publicUrl) ? undefined : foreignOrigin(origin))
}

const isOtherSite = (site: string | string[] | undefined): boolean => site === "cross-site" || site === "same-site"
const foreignSite = `The request comes from a page of another site: ${advice}`

function isNear(origin: string, host: string, publicUrl: string): boolean {
  const page = hostnameOf(origin)
  return page !== undefined && (isLoopback(page) || isOwnOrigin(origin, host, publicUrl))
}

/**
 * Whether a page of this `Origin` came from the service: from its public address, or from the host of the request. Where the public address
 * is https, an http page of its host may be anybody's on the way.
 */
export function isOwnOrigin(origin: string, host: string, publicUrl: string): boolean {
  const [page, own] = [URL.parse(origin), URL.parse(publicUrl)]
  if (page === null) return false
  const isDowngraded = page.protocol === "http:" && own?.protocol === "https:" && page.hostname === own.hostname
  return page.origin === own?.origin || (page.host === host && !isDowngraded)
}
