import type { Verb } from "../context.ts"
import { cancelOrder } from "./cancel.ts"
import { requireOrder } from "./rules.ts"

export const deleteOrder: Verb<"deleteOrder"> = (ctx, { params }) =>
  ctx.store.transaction(async (tx) => {
    const found = ctx.accept(requireOrder(await tx.orders.lock(params.orderId), ctx.caller))

    if (found.order.complete) await tx.orders.remove(found.order.id)
    else await cancelOrder(ctx, tx, found, "requested")
    return deleted
  })

const deleted = { code: 200, type: "success", message: "Order deleted" }
