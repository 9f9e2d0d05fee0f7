import type { Operation } from "../operation.ts"
import type { Order, orders } from "./contract.ts"
import { petMoved, petOf, visible } from "./steps.ts"

export const deleteOrder: Operation<typeof orders.deleteOrder> = (ctx, { params }) =>
  ctx.store.transaction(async (tx) => {
    const { json, accountId } = visible(ctx, await tx.orders.lock(params.orderId))
    const order: Order = JSON.parse(json)

    await tx.orders.remove(order.id)
    if (order.complete) return deleted
    await petMoved(ctx, tx, await petOf(tx, order), "available")
    await tx.events.add("order.cancelled", order, ctx.clock.now(), accountId)
    return deleted
  })

const deleted = { code: 200, type: "success", message: "Order deleted" }
