import type { Operation } from "../context.ts"
import type { webhooks } from "./contract.ts"
import { sendTest } from "./deliveries/steps.ts"
import { patched, shown } from "./rules.ts"
import { locked, requireTarget } from "./steps.ts"

export const updateWebhook: Operation<typeof webhooks.updateWebhook> = async (ctx, { params, body }) => {
  if (body.url !== undefined) await requireTarget(ctx, body.url)

  return ctx.store.transaction(async (tx) => {
    const found = await locked(ctx, tx, params.webhookId)
    const webhook = ctx.accept(patched(found, body))

    await tx.webhooks.put(webhook)
    if (webhook.status === "testing" && found.status !== "testing") await sendTest(tx, webhook, ctx.clock.now())
    return shown(webhook)
  })
}
