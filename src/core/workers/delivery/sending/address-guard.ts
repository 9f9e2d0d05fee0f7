import { isIP } from "node:net"
import type { Targets } from "../../../domain/ports/targets.ts"
import { addressesIn } from "../../../kernel/network/ip-address.ts"
import { isPublic } from "./public-address.ts"
import { type Resolve, UnknownHost } from "./resolve-name.ts"

/** Targets allowed besides https to public addresses. */
export type AllowedTargets = {
  /** Whether an address is allowed in addition. */
  has(address: string): boolean
  /** Whether additional addresses are also allowed over http. */
  http: boolean
}

/** The target is forbidden; the message is the end of a sentence. */
export class RefusedAddress extends Error {}

/** Returns the addresses to connect to, each of them checked. */
export type AddressGuard = (url: string | URL) => Promise<string[]>

/**
 * Allows the operator's address blocks, and http if it is allowed. A service whose clients are on this machine may also reach
 * loopback; otherwise anyone on the network could use it to reach other services of this machine.
 */
export const allowAddresses = (
  allowsHttp: boolean,
  listensHereOnly: boolean,
  cidrs: readonly string[],
): AllowedTargets => ({
  has: addressesIn(allowsHttp && listensHereOnly ? [...cidrs, "127.0.0.0/8", "::1/128"] : cidrs),
  http: allowsHttp,
})

/**
 * Decides where the service may send requests: when a webhook is created or tested, and before every connection. Throws
 * RefusedAddress when any address of the host is forbidden, UnknownHost when it has none.
 */
export function addressGuard(allowed: AllowedTargets, resolve: Resolve): AddressGuard {
  return async (target) => {
    const url = typeof target === "string" ? URL.parse(target) : target
    if (!url || (url.protocol !== "https:" && !(allowed.http && url.protocol === "http:")))
      throw new RefusedAddress("must be an https address")
    if (url.username !== "" || url.password !== "") throw new RefusedAddress("must not hold a user name or password")

    const hostname = url.hostname.replace(/^\[|\]$/g, "")
    const addresses = isIP(hostname) ? [hostname] : await resolve(hostname)
    if (addresses.length === 0) throw new UnknownHost(`${hostname} has no address`)
    for (const address of addresses) {
      if (allowed.has(address)) continue
      if (url.protocol === "http:") throw new RefusedAddress("must be https, apart from this machine")
      if (!isPublic(address)) throw new RefusedAddress("must lead to a public address")
    }
    return addresses
  }
}

/** The guard as a port of the domain. It accepts an unknown host, which is checked again before every connection. */
export const guardTargets = (guard: AddressGuard): Pick<Targets, "refusalOf"> => ({
  async refusalOf(url) {
    try {
      await guard(url)
      return undefined
    } catch (error) {
      return error instanceof RefusedAddress ? error.message : undefined
    }
  },
})
