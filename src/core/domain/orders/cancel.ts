import type { ContextPart } from "../context.ts"
import type { Repositories } from "../ports/store.ts"
import type { CancelReason } from "./contract.ts"
import { setPetStatus } from "./set-pet-status.ts"
import type { LockedOrder } from "./store.ts"

/** Deletes an undelivered order and makes the pet that it reserves available. */
export async function cancelOrder(
  ctx: ContextPart<"clock">,
  tx: Repositories,
  found: LockedOrder,
  reason: CancelReason,
): Promise<void> {
  const { order, accountId } = found
  await tx.orders.remove(order.id)
  await setPetStatus(ctx, tx, found, "available")
  await tx.events.add("order.cancelled", { ...order, reason }, ctx.clock.now(), accountId)
}
