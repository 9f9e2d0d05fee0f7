import type { Operation } from "../operation.ts"
import { locked } from "../webhooks/steps.ts"
import type { deliveries } from "./contract.ts"
import { requireEnabled } from "./steps.ts"

export const retryFailedDeliveries: Operation<typeof deliveries.retryFailedDeliveries> = (ctx, { params, body }) =>
  ctx.store.transaction(async (tx) => {
    const webhook = await locked(ctx, tx, params.webhookId)
    requireEnabled(ctx, webhook)

    return { retried: await tx.deliveries.retryFailed(webhook.id, Date.parse(body.since), ctx.clock.now()) }
  })
