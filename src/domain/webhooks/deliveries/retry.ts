import type { Operation } from "../../context.ts"
import { lockWebhook } from "../require-webhook.ts"
import type { Delivery, deliveries } from "./contract.ts"
import { requireDelivery, requireEnabled } from "./require-delivery.ts"

export const retryDelivery: Operation<typeof deliveries.retryDelivery> = (ctx, { params }) =>
  ctx.store.transaction(async (tx) => {
    const webhook = await lockWebhook(ctx, tx, params.webhookId)
    const { id } = await requireDelivery(ctx, tx, webhook, params.deliveryId)
    requireEnabled(ctx, webhook)

    await tx.deliveries.retry(id, ctx.clock.now())
    return (await tx.deliveries.read(id, webhook.id)) as Delivery
  })
