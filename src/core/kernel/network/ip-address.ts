import ipaddr from "ipaddr.js"
import { memoize } from "../flow/memoize.ts"

/** An IPv4 or IPv6 address; an IPv4-mapped IPv6 address (::ffff:192.0.2.1) counts as IPv4. */
type Address = ReturnType<typeof ipaddr.process>

/** Parses an address; undefined when the text is none. Ignores a zone (`%eth0`). */
export const parseAddress = (text: string): Address | undefined => parsed(text).address

/** The addresses of callers repeat. */
const parsed = memoize(
  (text): { address: Address | undefined } => {
    const [plain = ""] = text.split("%", 1)
    return { address: ipaddr.isValid(plain) && !isShorthand(plain) ? ipaddr.process(plain) : undefined }
  },
  { entriesMax: 1000, lengthMax: 64 },
)

/** The network of one party: the whole IPv4 address, or the first 64 bits of an IPv6 one. */
export function networkOf(text: string): string | undefined {
  const address = parseAddress(text)
  return address && (address.kind() === "ipv4" ? address.toString() : prefixOf(address, 64))
}

type Budget = { name: string; max: number }

/** Factor of the budget of an IPv6 /48, the size that providers assign to a site, over that of a /64. */
const siteTimes = 8

/**
 * The budgets of an address, narrowest first: its own network and, for IPv6, the /48 around it, which one party often holds.
 * A text that is not an address is its own network.
 */
export function networkBudgets(text: string, max: number, nameOf: (network: string) => string): Budget[] {
  const address = parseAddress(text)
  const narrow = { name: nameOf(networkOf(text) ?? text), max }
  return address?.kind() === "ipv6" ? [narrow, { name: nameOf(prefixOf(address, 48)), max: max * siteTimes }] : [narrow]
}

function prefixOf(address: Address, bits: 48 | 64): string {
  const bytes = address.toByteArray().slice(0, bits / 8)
  return `${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}::/${bits}`
}

/** Whether a text is an address block in CIDR notation (RFC 4632, RFC 4291) or a single address. */
export const isCidr = (text: string): boolean => blockOf(text) !== undefined

/** Returns a test for addresses in any of these blocks; false for text that is no address. */
export function addressesIn(cidrs: readonly string[]): (address: string) => boolean {
  const blocks = cidrs.flatMap((cidr) => blockOf(cidr) ?? [])
  return (text) => {
    const address = parseAddress(text)
    return address !== undefined && blocks.some((block) => isIn(address, block))
  }
}

/** Returns a test for blocks within the union of these blocks; false for text that is no block. */
export function blocksWithin(cidrs: readonly string[]): (cidr: string) => boolean {
  const outer = cidrs.flatMap((cidr) => blockOf(cidr) ?? [])
  return (cidr) => {
    const block = blockOf(cidr)
    return block !== undefined && isWithin(block, outer)
  }
}

/** The intersection of two lists of blocks; undefined when it is empty. An empty list means all addresses. */
export function commonBlocks(some: readonly string[], others: readonly string[]): string[] | undefined {
  if (some.length === 0 || others.length === 0) return [...some, ...others]
  const common = new Set([...narrowerOf(some, others), ...narrowerOf(others, some)])
  return common.size > 0 ? [...common] : undefined
}

/** Two blocks are either disjoint, or one contains the other. */
const narrowerOf = (these: readonly string[], those: readonly string[]): string[] =>
  these.filter((cidr) => those.some((block) => blocksWithin([block])(cidr)))

/** Whether a host, as in a URL or a setting, is always this machine: a loopback address or localhost (RFC 6761). */
export const isLoopback = (host: string): boolean =>
  /(^|\.)localhost$/i.test(host) || loopback(host.replace(/^\[|\]$/g, ""))

type Block = { network: Address; bits: number }

function blockOf(text: string): Block | undefined {
  const [plain = "", length] = text.split("/", 2)
  const network = text.split("/").length > 2 || plain.includes("%") ? undefined : parseAddress(plain)
  if (!network) return undefined
  const width = network.toByteArray().length * 8
  if (length === undefined) return { network, bits: width }
  // ::ffff:10.0.0.0/104 is 10.0.0.0/8.
  const bits = Number(length) - (width === 32 && plain.includes(":") ? 96 : 0)
  return /^\d{1,3}$/.test(length) && bits >= 0 && bits <= width ? { network, bits } : undefined
}

const isIn = (address: Address, { network, bits }: Block): boolean =>
  address.kind() === network.kind() && address.match(network, bits)

/** In one of the blocks, or both halves in their union. */
function isWithin(block: Block, outer: readonly Block[]): boolean {
  if (outer.some(({ network, bits }) => bits <= block.bits && isIn(block.network, { network, bits }))) return true
  const parts = outer.filter(({ network, bits }) => bits > block.bits && isIn(network, block))
  return parts.length > 0 && halvesOf(block).every((half) => isWithin(half, parts))
}

function halvesOf({ network, bits }: Block): Block[] {
  const bytes = network.toByteArray()
  const [at, mask] = [bits >> 3, 0x80 >> (bits & 7)]
  return [(bytes[at] as number) & ~mask, (bytes[at] as number) | mask].map((byte) => ({
    network: ipaddr.fromByteArray(bytes.with(at, byte)),
    bits: bits + 1,
  }))
}

/** IPv4 in fewer than four parts, or with octal or hexadecimal ones: ambiguous spellings, refused. */
const isShorthand = (text: string): boolean => !text.includes(":") && !ipaddr.IPv4.isValidFourPartDecimal(text)

const loopback = addressesIn(["127.0.0.0/8", "::1/128"])
