import type { Verb } from "../context.ts"
import { sealedFor } from "../ports/sealing.ts"
import { liveSecretsMax, rotationMs } from "./contract.ts"
import { mintWebhookSecret, showWebhook } from "./rules.ts"

export const rotateWebhookSecret: Verb<"rotateWebhookSecret"> = (ctx, { params }) => {
  const secret = mintWebhookSecret(ctx.random)

  return ctx.store.transaction(async (tx) => {
    const webhook = (await tx.webhooks.lock(params.webhookId, ctx.caller.account.id)) ?? ctx.refuse("webhook-not-found")
    const now = ctx.clock.now()
    if ((await tx.webhooks.secrets(webhook.id, now)).length >= liveSecretsMax)
      ctx.refuse(
        "webhook-limit",
        `The webhook already has ${liveSecretsMax} secrets; each expires 24 hours after its rotation`,
      )

    await tx.webhooks.addSecret(webhook.id, ctx.sealing.seal(secret, sealedFor.webhookSecrets), now + rotationMs)
    ctx.audit("webhook.secret-rotated", `webhook:${webhook.id}`)
    return { ...showWebhook(webhook), secret }
  })
}
