import { isStaff } from "../accounts/rules.ts"
import type { Verb } from "../context.ts"
import { moveOrder, petStatusOf, requireOrder } from "./rules.ts"
import { setPetStatus } from "./set-pet-status.ts"

export const patchOrder: Verb<"patchOrder"> = (ctx, { params, body }) => {
  if (!isStaff(ctx.caller)) ctx.refuse("role-missing", "Only staff may approve and deliver orders")

  return ctx.store.transaction(async (tx) => {
    const { order: found, accountId } = ctx.accept(requireOrder(await tx.orders.lock(params.orderId), ctx.caller))
    const order = ctx.accept(moveOrder(found, body.status))

    await tx.orders.put(order)
    await setPetStatus(ctx, tx, order, petStatusOf(order))
    await tx.events.add(`order.${order.status}`, order, ctx.clock.now(), accountId)
    return order
  })
}
