import type { Provider, Client as RegisteredClient } from "oidc-provider"
import { isLoopback } from "../../../core/kernel/network/ip-address.ts"

/**
 * Accepts any port in redirect URIs to loopback (RFC 8252 section 7.3) for some clients. Registering such clients as native would make
 * oidc-provider ask for consent every time.
 */
export function allowEveryLoopbackPort({ Client }: Provider, isAllowed: (client: RegisteredClient) => boolean): void {
  const { redirectUriAllowed } = Client.prototype
  Client.prototype.redirectUriAllowed = function allowed(uri: string): boolean {
    return (
      redirectUriAllowed.call(this, uri) ||
      (isAllowed(this) && (this.redirectUris ?? []).some((known) => isSameButForPort(known, uri)))
    )
  }
}

/** Whether both are the same loopback address apart from the port. */
export function isSameButForPort(known: string, uri: string): boolean {
  const expected = withoutPort(known)
  return expected !== undefined && expected === withoutPort(uri)
}

/** Undefined for anything except plain http to loopback. */
function withoutPort(uri: string): string | undefined {
  const url = URL.parse(uri)
  if (url?.protocol !== "http:" || !isLoopback(url.hostname)) return undefined
  url.port = ""
  return url.href
}
