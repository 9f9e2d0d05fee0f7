import type { Operation } from "../../context.ts"
import { requireWebhook } from "../require-webhook.ts"
import type { Delivery, deliveries } from "./contract.ts"
import { requireDelivery, requireEnabled } from "./require-delivery.ts"

export const retryDelivery: Operation<typeof deliveries.retryDelivery> = (ctx, { params }) =>
  ctx.store.transaction(async (tx) => {
    const webhook = requireWebhook(ctx, await tx.webhooks.lock(params.webhookId, ctx.caller.account.id))
    const { id } = requireDelivery(ctx, await tx.deliveries.read(params.deliveryId, webhook.id))
    requireEnabled(ctx, webhook)

    await tx.deliveries.retry(id, ctx.clock.now())
    return (await tx.deliveries.read(id, webhook.id)) as Delivery
  })
