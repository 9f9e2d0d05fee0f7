import type { Provider } from "oidc-provider"
import { isLoopback } from "../../kernel/network/ip-address.ts"

/**
 * Lets applications on the person's own machine come back to whichever port they were given there (RFC 8252 section 7.3),
 * without being native clients otherwise, which oidc-provider would ask about every time.
 */
export function allowEveryLoopbackPort({ Client }: Provider): void {
  const { redirectUriAllowed } = Client.prototype
  Client.prototype.redirectUriAllowed = function allowed(uri: string): boolean {
    return redirectUriAllowed.call(this, uri) || (this.redirectUris ?? []).some((known) => isSameButForPort(known, uri))
  }
}

/** Whether both are the same place on this machine, at whatever ports. */
export function isSameButForPort(known: string, uri: string): boolean {
  const place = withoutPort(known)
  return place !== undefined && place === withoutPort(uri)
}

/** Undefined for what is not plain http to loopback. */
function withoutPort(uri: string): string | undefined {
  const url = URL.parse(uri)
  if (url?.protocol !== "http:" || !isLoopback(url.hostname)) return undefined
  url.port = ""
  return url.href
}
