// Decision: docs/decisions/delivery.md#names-that-clients-choose-are-resolved-without-threads

import { Resolver } from "node:dns/promises"
import { readFile } from "node:fs/promises"

/** The time after which a query to a server is repeated. */
const queryTimeoutMs = 1500

/** The host name has no address, or its name servers do not respond. */
export class UnknownHost extends Error {}

/** Resolves a host name to all its addresses. */
export type Resolve = (hostname: string) => Promise<string[]>

type ResolverOptions = {
  /** Replaces the name servers of the system: addresses, each with an optional port. */
  servers?: readonly string[]
  hostsFile?: string
  /** The limit of a look-up. */
  timeoutMs?: number
}

/**
 * Creates a resolver that asks DNS with its own sockets: the system's resolver, with which the service reaches its database,
 * waits on threads, and silent names would occupy all of them. Names in the hosts file and `localhost` need no query.
 */
export function createResolver(options: ResolverOptions = {}): Resolve {
  const { servers, hostsFile = "/etc/hosts", timeoutMs = 5000 } = options
  const underWay = new Map<string, Promise<string[]>>()

  return (hostname) => {
    const name = hostname.toLowerCase().replace(/\.$/, "")
    const looking = underWay.get(name) ?? lookUp(name).finally(() => underWay.delete(name))
    underWay.set(name, looking)
    return looking
  }

  async function lookUp(name: string): Promise<string[]> {
    const listed = addressesOf(name, await readFile(hostsFile, "utf8").catch(() => ""))
    if (listed.length > 0) return listed
    // RFC 6761 section 6.3.
    if (name === "localhost" || name.endsWith(".localhost")) return ["127.0.0.1", "::1"]
    return query(name)
  }

  /** A resolver of its own for each look-up, so that cancelling it cancels no other. */
  async function query(name: string): Promise<string[]> {
    const resolver = new Resolver({ timeout: queryTimeoutMs, tries: 2 })
    if (servers) resolver.setServers(servers)
    const limit = setTimeout(() => resolver.cancel(), timeoutMs)
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    clearTimeout(limit)
    const addresses = found.flatMap((each) => (each.status === "fulfilled" ? each.value : []))
    if (addresses.length > 0) return addresses
    throw new UnknownHost(`${name} is not known`, { cause: found.find(({ status }) => status === "rejected") })
  }
}

/** The addresses that a hosts file gives a name. */
const addressesOf = (name: string, hosts: string): string[] =>
  hosts.split("\n").flatMap((line) => {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/)
    return names.some((each) => each.toLowerCase() === name) ? [address] : []
  })
