import type { Operation } from "../../context.ts"
import { requireEnabled } from "./require-enabled.ts"

const batchSize = 500

/** A transaction for each batch, so that others have their turn however many there are. */
export const retryFailedDeliveries: Operation<"retryFailedDeliveries"> = async (ctx, { params, body }) => {
  const batch = () =>
    ctx.store.transaction(async (tx) => {
      const webhook =
        (await tx.webhooks.lock(params.webhookId, ctx.caller.account.id)) ?? ctx.refuse("webhook-not-found")
      requireEnabled(ctx, webhook)
      return tx.deliveries.retryFailed(webhook.id, Date.parse(body.since), ctx.clock.now(), batchSize)
    })
  let retried = 0
  for (let count = batchSize; count === batchSize; retried += count) count = await batch()
  return { retried }
}
