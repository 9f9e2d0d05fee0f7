import type { ContextPart } from "../context.ts"
import type { Repositories } from "../ports/store.ts"
import type { CancelReason, Order } from "./contract.ts"
import { setPetStatus } from "./set-pet-status.ts"

/** Deletes an undelivered order and makes its pet available. */
export async function cancelOrder(
  ctx: ContextPart<"clock">,
  tx: Repositories,
  order: Order,
  accountId: number,
  reason: CancelReason,
): Promise<void> {
  await tx.orders.remove(order.id)
  await setPetStatus(ctx, tx, order, "available")
  await tx.events.add("order.cancelled", { ...order, reason }, ctx.clock.now(), accountId)
}
