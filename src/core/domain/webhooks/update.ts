import type { Verb } from "../context.ts"
import { sendTest } from "./deliveries/send-test.ts"
import { requireTarget } from "./require-target.ts"
import { patchWebhook, showWebhook } from "./rules.ts"

export const updateWebhook: Verb<"updateWebhook"> = async (ctx, { params, body }) => {
  if (body.url !== undefined) await requireTarget(ctx, body.url)

  return ctx.store.transaction(async (tx) => {
    const found = (await tx.webhooks.lock(params.webhookId, ctx.caller.account.id)) ?? ctx.refuse("webhook-not-found")
    const webhook = ctx.accept(patchWebhook(found, body))

    await tx.webhooks.put(webhook)
    if (webhook.status === "testing" && found.status !== "testing") await sendTest(tx, webhook, ctx.clock.now())
    ctx.audit("webhook.changed", `webhook:${webhook.id}`, { details: { status: webhook.status } })
    return showWebhook(webhook)
  })
}
