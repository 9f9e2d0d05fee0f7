import { memoize } from "../../kernel/flow/memoize.ts"
import { parseAddress } from "../../kernel/network/ip-address.ts"

/** How log lines name the client. */
export type AddressDetail = "full" | "truncated" | "none"

/** Bounds of the cache of formatted addresses. */
const remembered = { entriesMax: 1_000, lengthMax: 64 }
/** The leading bytes of an IPv4 and of an IPv6 address that identify its network. */
const keptBytes = { ipv4: 3, ipv6: 6 } as const

/** The client's address as part of a log line, in JSON; empty when addresses are not logged. */
export function loggedAddress(detail: AddressDetail): (address: string) => string {
  if (detail === "none") return () => ""
  const name = detail === "full" ? (address: string) => address : truncate

  return memoize((address) => `,"client.address":${JSON.stringify(name(address))}`, remembered)
}

/** `192.0.2.0` for 192.0.2.7, `2001:db8:1::` for anything in that /48. */
function truncate(text: string): string {
  const address = parseAddress(text)
  if (address === undefined) return ""
  const bytes = address.toByteArray().fill(0, keptBytes[address.kind()])
  return address.kind() === "ipv4" ? bytes.join(".") : formatIpv6(bytes)
}

const formatIpv6 = (bytes: readonly number[]): string => {
  const groups = [0, 2, 4].map((at) => (((bytes[at] as number) << 8) | (bytes[at + 1] as number)).toString(16))
  return `${groups.join(":")}::`
}
