import { setTimeout as sleep } from "node:timers/promises"
import type { Caller } from "../../domain/accounts/model.ts"
import type { Exchange } from "../pipeline/exchange.ts"
import type { AccountQuota } from "../rate-limiting/account-quota.ts"

/** A plan whose minute is used up has room again within this time; what takes longer is not waited for. */
const waitMaxSeconds = 60
/** Other requests of the account may take the room first, so that it is looked for again. */
const lookMs = 500

/**
 * Counts a further request of an export or import that is under way, as a request of its own at the interface would be. Waits
 * while the plan's minute is used up; throws the 429 when its day is, or when the client has gone.
 */
export async function countFurther(
  { takeFromPlan }: Pick<AccountQuota, "takeFromPlan">,
  caller: Caller,
  { response }: Exchange,
): Promise<void> {
  for (;;) {
    const refusal = await takeFromPlan(caller)
    if (!refusal) return
    if ((refusal.retryAfter ?? 0) > waitMaxSeconds || response.destroyed) throw refusal
    await sleep(lookMs, undefined, { ref: false })
  }
}
