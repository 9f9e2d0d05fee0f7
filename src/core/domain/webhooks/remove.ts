import type { Verb } from "../context.ts"

export const deleteWebhook: Verb<"deleteWebhook"> = (ctx, { params }) =>
  ctx.store.transaction(async (tx) => {
    const { id } = (await tx.webhooks.lock(params.webhookId, ctx.caller.account.id)) ?? ctx.refuse("webhook-not-found")

    await tx.webhooks.remove(id, ctx.clock.now())
    ctx.audit("webhook.deleted", `webhook:${id}`)
    return { code: 200, type: "success", message: "Webhook deleted" }
  })
