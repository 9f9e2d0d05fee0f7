import type { Attempts } from "../../kernel/flow/attempts.ts"
import type { Awaitable } from "../../kernel/flow/awaitable.ts"
import { addressesIn, networkBudgets } from "../../kernel/network/ip-address.ts"
import { Problem } from "../../kernel/problem.ts"

const windowMs = 60_000

/** Requests that no account pays for, per minute and address. */
export const addressMax = { anonymous: 600, failed: 60, files: 3_000, password: 60 } as const

const descriptions = {
  anonymous: "without a credential",
  failed: "with an invalid credential",
  files: "for pages and images",
  password: "that log in or register",
}

/** Counts such a request against its address; throws the 429 above the limit. */
export type IpRateLimit = (kind: keyof typeof addressMax, address: string) => Awaitable<void>

/** Limits addresses. An IPv6 /64 counts as one, and its /48 may send eight times as many. `unlimited` blocks are exempt. */
export function ipRateLimit(attempts: Attempts, unlimited: readonly string[]): IpRateLimit {
  const isUnlimited = addressesIn(unlimited)

  return (kind, address) => (isUnlimited(address) ? undefined : count(kind, address))

  async function count(kind: keyof typeof addressMax, address: string): Promise<void> {
    const tried = networkBudgets(address, addressMax[kind], (network) => `${kind} ${network}`)
    const waitMs = await attempts.admit(tried, windowMs)
    if (waitMs === undefined) return
    const detail = `Your address may send ${addressMax[kind]} requests a minute ${descriptions[kind]}`
    throw new Problem("too-many-requests", detail, { retryAfter: Math.ceil(waitMs / 1000) })
  }
}
