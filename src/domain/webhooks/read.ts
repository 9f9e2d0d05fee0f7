import type { Operation } from "../context.ts"
import type { webhooks } from "./contract.ts"
import { requireWebhook } from "./require-webhook.ts"
import { showWebhook } from "./rules.ts"

export const getWebhook: Operation<typeof webhooks.getWebhook> = async (ctx, { params }) =>
  showWebhook(await requireWebhook(ctx, ctx.store, params.webhookId))
