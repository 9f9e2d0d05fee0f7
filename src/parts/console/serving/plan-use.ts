import { setTimeout as sleep } from "node:timers/promises"
import type { AccountQuota } from "../../../core/api/admission/account-quota.ts"
import type { Caller } from "../../../core/domain/accounts/model.ts"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"

/** A plan whose minute is used up has capacity again within this time. A longer wait is refused. */
const waitMaxSeconds = 60
/** The pause between attempts: other requests of the account may use up the capacity first. */
const retryMs = 500

/**
 * Counts a further request of a running export or import, like a request to the API. Waits while the plan's minute is used up;
 * throws the 429 when the day is used up or the client has disconnected.
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
    await sleep(retryMs, undefined, { ref: false })
  }
}
