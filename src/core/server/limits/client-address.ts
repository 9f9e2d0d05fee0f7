import type { IncomingMessage } from "node:http"
import { addressesIn, parseAddress } from "../../kernel/network/ip-address.ts"

/**
 * Finds the client's network address: the last one in `X-Forwarded-For` that is no trusted proxy, if all after it are;
 * otherwise the connection's own.
 */
export function clientAddress(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = addressesIn(trustedProxies)

  return ({ socket, headers }) => {
    let address = socket.remoteAddress ?? ""
    const forwarded = headers["x-forwarded-for"]
    if (forwarded === undefined || !isTrusted(address)) return address
    for (const part of String(forwarded).split(",").reverse()) {
      const before = addressIn(part.trim())
      if (before === undefined) return address
      address = before
      if (!isTrusted(address)) return address
    }
    return address
  }
}

/** `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1` or `[2001:db8::1]:4711`, without the port; undefined for anything else. */
function addressIn(text: string): string | undefined {
  const [, bracketed, dotted] = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text) ?? []
  const address = bracketed ?? dotted ?? text
  return parseAddress(address) === undefined ? undefined : address
}
