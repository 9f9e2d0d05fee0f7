import type { Operation } from "../../context.ts"
import { requireWebhook } from "../steps.ts"
import type { deliveries } from "./contract.ts"
import { requireDelivery } from "./steps.ts"

export const getDelivery: Operation<typeof deliveries.getDelivery> = async (ctx, { params }) => {
  const webhook = await requireWebhook(ctx, ctx.store, params.webhookId)
  const { lastAttempt: _, ...delivery } = await requireDelivery(ctx, ctx.store, webhook, params.deliveryId)
  return { ...delivery, log: await ctx.store.deliveries.attempts(delivery.id) }
}
