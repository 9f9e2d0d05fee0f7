import type { Operation } from "../../context.ts"
import { found } from "../steps.ts"
import type { deliveries } from "./contract.ts"
import { deliveryOf } from "./steps.ts"

export const getDelivery: Operation<typeof deliveries.getDelivery> = async (ctx, { params }) => {
  const webhook = await found(ctx, ctx.store, params.webhookId)
  const { lastAttempt: _, ...delivery } = await deliveryOf(ctx, ctx.store, webhook, params.deliveryId)
  return { ...delivery, log: await ctx.store.deliveries.attempts(delivery.id) }
}
