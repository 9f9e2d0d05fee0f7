import type { Attempts } from "../../domain/ports.ts"
import { addressesIn, networkOf } from "../../kernel/ip-address.ts"
import { Problem } from "../../kernel/problem.ts"

const windowMs = 60_000

/** Requests a minute one address may send, of each kind that no account pays for. */
export const addressMax = { anonymous: 600, failed: 60, files: 3_000, password: 60 } as const

const told = {
  anonymous: "without a credential",
  failed: "with a credential that does not hold",
  files: "for pages and images",
  password: "that log in or register",
}

/** Counts a request that no account pays for against its address; throws the 429 when that has sent too many. */
export type AddressLimit = (kind: keyof typeof addressMax, from: { address: string }) => Promise<void>

/** Limits addresses, those of one IPv6 /64 together, except the ones in `unlimited` blocks. */
export function addressLimit(attempts: Attempts, unlimited: readonly string[]): AddressLimit {
  const isUnlimited = addressesIn(unlimited)

  return async (kind, { address }) => {
    if (isUnlimited(address)) return
    const network = networkOf(address) ?? "unknown"
    const waitMs = await attempts.admit([{ name: `${kind} ${network}`, max: addressMax[kind] }], windowMs)
    if (waitMs === undefined) return
    throw new Problem(
      "too-many-requests",
      `Your address may send ${addressMax[kind]} requests a minute ${told[kind]}`,
      {
        retryAfter: Math.ceil(waitMs / 1000),
      },
    )
  }
}
