import type { Operation } from "../context.ts"
import type { orders } from "./contract.ts"
import { cancel, visible } from "./steps.ts"

export const deleteOrder: Operation<typeof orders.deleteOrder> = (ctx, { params }) =>
  ctx.store.transaction(async (tx) => {
    const { order, accountId } = visible(ctx, await tx.orders.lock(params.orderId))

    if (order.complete) await tx.orders.remove(order.id)
    else await cancel(ctx, tx, order, accountId, "requested")
    return deleted
  })

const deleted = { code: 200, type: "success", message: "Order deleted" }
