import { timeIn } from "../../../kernel/clock.ts"
import { inParameter } from "../../../kernel/problem.ts"
import type { Verb } from "../../context.ts"
import type { Delivery } from "./contract.ts"
import { checkEnabled } from "./rules.ts"

export const retryDelivery: Verb<"retryDelivery"> = (ctx, { params }) =>
  ctx.store.transaction(async (tx) => {
    const webhook = (await tx.webhooks.lock(params.webhookId, ctx.caller.account.id)) ?? ctx.refuse("webhook-not-found")
    const { id } = (await tx.deliveries.read(params.deliveryId, webhook.id)) ?? ctx.refuse("delivery-not-found")
    ctx.accept(checkEnabled(webhook))

    await tx.deliveries.retry(id, ctx.clock.now())
    return (await tx.deliveries.read(id, webhook.id)) as Delivery
  })

const batchSize = 500
const batchesAtOnce = 20

/** One transaction per batch, so that a large number does not block others, and a bounded number of batches per request. */
export const retryFailedDeliveries: Verb<"retryFailedDeliveries"> = async (ctx, { params, query, body }) => {
  const since = query.since ?? body?.since
  if (since === undefined) return ctx.refuse("invalid-parameter", inParameter("since", "required", "is required"))
  const batch = () =>
    ctx.store.transaction(async (tx) => {
      const webhook =
        (await tx.webhooks.lock(params.webhookId, ctx.caller.account.id)) ?? ctx.refuse("webhook-not-found")
      ctx.accept(checkEnabled(webhook))
      return tx.deliveries.retryFailed(webhook.id, timeIn(since), ctx.clock.now(), batchSize)
    })
  let retried = 0
  for (let batches = 0; batches < batchesAtOnce; batches++) {
    const count = await batch()
    retried += count
    if (count < batchSize) return { retried, more: false }
  }
  return { retried, more: true }
}
