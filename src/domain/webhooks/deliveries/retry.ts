import type { Operation } from "../../context.ts"
import type { Delivery } from "./contract.ts"
import { requireEnabled } from "./require-enabled.ts"

export const retryDelivery: Operation<"retryDelivery"> = (ctx, { params }) =>
  ctx.store.transaction(async (tx) => {
    const webhook = (await tx.webhooks.lock(params.webhookId, ctx.caller.account.id)) ?? ctx.refuse("webhook-not-found")
    const { id } = (await tx.deliveries.read(params.deliveryId, webhook.id)) ?? ctx.refuse("delivery-not-found")
    requireEnabled(ctx, webhook)

    await tx.deliveries.retry(id, ctx.clock.now())
    return (await tx.deliveries.read(id, webhook.id)) as Delivery
  })
