import type { Verb } from "../context.ts"
import { cancelOrder } from "./cancel.ts"
import { requireOrder } from "./rules.ts"

export const deleteOrder: Verb<"deleteOrder"> = (ctx, { params }) =>
  ctx.store.transaction(async (tx) => {
    const { order, accountId } = ctx.accept(requireOrder(await tx.orders.lock(params.orderId), ctx.caller))

    if (order.complete) await tx.orders.remove(order.id)
    else await cancelOrder(ctx, tx, order, accountId, "requested")
    return deleted
  })

const deleted = { code: 200, type: "success", message: "Order deleted" }
