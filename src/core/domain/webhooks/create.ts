import { created } from "../../kernel/endpoint/json-response.ts"
import type { Verb } from "../context.ts"
import { publishAll } from "../events/publish.ts"
import { sealedFor } from "../ports/sealing.ts"
import { webhooksMax } from "./contract.ts"
import { requireTarget } from "./require-target.ts"
import { mintWebhookSecret, newWebhook, showWebhook } from "./rules.ts"

export const createWebhook: Verb<"createWebhook"> = async (ctx, { body }) => {
  await requireTarget(ctx, body.url)
  const secret = mintWebhookSecret(ctx.random)

  return ctx.store.transaction(async (tx) => {
    const { id: accountId } = ctx.caller.account
    if ((await tx.webhooks.count(accountId)) >= webhooksMax)
      ctx.refuse("webhook-limit", `An account has at most ${webhooksMax} webhooks; delete one first`)
    // Publish first: a webhook does not receive earlier events.
    await publishAll(tx, ctx.clock.now())

    const webhook = await tx.webhooks.add(
      newWebhook(body, accountId, ctx.clock.now()),
      ctx.sealing.seal(secret, sealedFor.webhookSecrets),
      ctx.caller.bounds.userId,
    )
    ctx.audit("webhook.created", `webhook:${webhook.id}`)
    return created({ ...showWebhook(webhook), secret }, `/webhooks/${webhook.id}`)
  })
}
