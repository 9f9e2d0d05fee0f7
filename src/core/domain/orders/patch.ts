import { isStaff } from "../accounts/rules.ts"
import type { Verb } from "../context.ts"
import { moveOrder, petStatusOf, requireOrder } from "./rules.ts"
import { setPetStatus } from "./set-pet-status.ts"

export const patchOrder: Verb<"patchOrder"> = (ctx, { params, body }) => {
  if (!isStaff(ctx.caller)) ctx.refuse("role-missing", "Only staff may approve and deliver orders")

  return ctx.store.transaction(async (tx) => {
    const found = ctx.accept(requireOrder(await tx.orders.lock(params.orderId), ctx.caller))
    const order = ctx.accept(moveOrder(found.order, body.status))

    await tx.orders.put(order)
    await setPetStatus(ctx, tx, found, petStatusOf(order))
    await tx.events.add(`order.${order.status}`, order, ctx.clock.now(), found.accountId)
    return order
  })
}
