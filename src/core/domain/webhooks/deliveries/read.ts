import type { Verb } from "../../context.ts"

export const listDeliveries: Verb<"listDeliveries"> = async (ctx, { params, query, page }) => {
  const { webhooks, deliveries } = ctx.store
  const { id } = (await webhooks.read(params.webhookId, ctx.caller.account.id)) ?? ctx.refuse("webhook-not-found")
  return deliveries.list(id, query.state, page)
}

export const getDelivery: Verb<"getDelivery"> = async (ctx, { params }) => {
  const { webhooks, deliveries } = ctx.store
  const webhook = (await webhooks.read(params.webhookId, ctx.caller.account.id)) ?? ctx.refuse("webhook-not-found")
  const found = (await deliveries.read(params.deliveryId, webhook.id)) ?? ctx.refuse("delivery-not-found")
  const { lastAttempt: _, ...delivery } = found
  const [body, log] = await Promise.all([deliveries.message(delivery.id), deliveries.attempts(delivery.id)])
  return { ...delivery, body, log }
}
