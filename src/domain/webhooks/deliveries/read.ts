import type { Operation } from "../../context.ts"
import { requireWebhook } from "../require-webhook.ts"
import type { deliveries } from "./contract.ts"
import { requireDelivery } from "./require-delivery.ts"

export const getDelivery: Operation<typeof deliveries.getDelivery> = async (ctx, { params }) => {
  const webhook = await requireWebhook(ctx, ctx.store, params.webhookId)
  const { lastAttempt: _, ...delivery } = await requireDelivery(ctx, ctx.store, webhook, params.deliveryId)
  const { deliveries } = ctx.store
  const [body, log] = await Promise.all([deliveries.message(delivery.id), deliveries.attempts(delivery.id)])
  return { ...delivery, body, log }
}
