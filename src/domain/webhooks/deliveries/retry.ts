import type { Operation } from "../../context.ts"
import { locked } from "../steps.ts"
import type { Delivery, deliveries } from "./contract.ts"
import { deliveryOf, requireEnabled } from "./steps.ts"

export const retryDelivery: Operation<typeof deliveries.retryDelivery> = (ctx, { params }) =>
  ctx.store.transaction(async (tx) => {
    const webhook = await locked(ctx, tx, params.webhookId)
    const { id } = await deliveryOf(ctx, tx, webhook, params.deliveryId)
    requireEnabled(ctx, webhook)

    await tx.deliveries.retry(id, ctx.clock.now())
    return (await tx.deliveries.read(id, webhook.id)) as Delivery
  })
