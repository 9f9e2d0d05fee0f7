import ipaddr from "ipaddr.js"
import { addressesIn } from "../../../kernel/network/ip-address.ts"

/**
 * Whether an address is certainly on the public internet. IPv6 must be global unicast (2000::/3) without a special use; forms
 * that embed an IPv4 address (mapped, NAT64, 6to4, Teredo) never are.
 */
export function isPublic(address: string): boolean {
  if (!isPlain(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== "unicast") return false
  if (parsed.kind() === "ipv6" && !parsed.match(globalUnicast, 3)) return false
  return !isSpecial(address)
}

/** Addresses in the system's notation: no shorthand, no octal, no zone. */
const isPlain = (address: string): boolean =>
  ipaddr.IPv4.isValidFourPartDecimal(address) || (address.includes(":") && ipaddr.IPv6.isValid(address))

const globalUnicast = ipaddr.IPv6.parse("2000::")

/** Special uses that ipaddr.js reports as unicast: IETF protocol assignments, documentation, cloud metadata and wire servers. */
const isSpecial = addressesIn([
  "168.63.129.16/32",
  "192.0.0.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.175.48.0/24",
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "2620:4f:8000::/48",
  "3ffe::/16",
  "3fff::/20",
])
