import type { Operation } from "../../context.ts"
import { requireWebhook } from "../require-webhook.ts"
import type { deliveries } from "./contract.ts"
import { requireDelivery } from "./require-delivery.ts"

export const getDelivery: Operation<typeof deliveries.getDelivery> = async (ctx, { params }) => {
  const webhook = requireWebhook(ctx, await ctx.store.webhooks.read(params.webhookId, ctx.caller.account.id))
  const { lastAttempt: _, ...delivery } = requireDelivery(
    ctx,
    await ctx.store.deliveries.read(params.deliveryId, webhook.id),
  )
  const { deliveries } = ctx.store
  const [body, log] = await Promise.all([deliveries.message(delivery.id), deliveries.attempts(delivery.id)])
  return { ...delivery, body, log }
}
