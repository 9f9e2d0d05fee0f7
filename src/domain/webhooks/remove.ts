import type { Operation } from "../context.ts"
import type { webhooks } from "./contract.ts"
import { locked } from "./steps.ts"

export const deleteWebhook: Operation<typeof webhooks.deleteWebhook> = (ctx, { params }) =>
  ctx.store.transaction(async (tx) => {
    const { id } = await locked(ctx, tx, params.webhookId)

    await tx.webhooks.remove(id, ctx.clock.now())
    return { code: 200, type: "success", message: "Webhook deleted" }
  })
