import type { Context } from "../context.ts"
import type { Account } from "./contract.ts"

/** The account's use of each window of its plan; empty when the plan has no limit. */
export async function readLimitUsage({ limiter, plans }: Pick<Context, "limiter" | "plans">, { id, plan }: Account) {
  const quota = plans[plan]
  return quota ? [...(await limiter.usage(id, quota))] : []
}
