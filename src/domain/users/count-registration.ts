import { addressesIn, networkBudgets } from "../../kernel/network/ip-address.ts"
import { problem } from "../../kernel/problem.ts"
import type { Part } from "../context.ts"

const hourMs = 60 * 60 * 1000

/** Counts a registration against the address it comes from; a problem when that has registered as many as it may. */
export async function countRegistration({ policy, address, attempts }: Part<"policy" | "address" | "attempts">) {
  const { registrationsPerHour: max, unlimitedAddresses } = policy
  if (max === undefined || addressesIn(unlimitedAddresses)(address)) return undefined
  const tried = networkBudgets(address, max, (network) => `registration ${network}`)
  const waitMs = await attempts.admit(tried, hourMs)
  if (waitMs === undefined) return undefined
  return problem("too-many-registrations", `Your address may register ${max} people an hour`, {
    retryAfter: Math.ceil(waitMs / 1000),
  })
}
