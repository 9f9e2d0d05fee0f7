import type { Operation } from "../context.ts"
import type { webhooks } from "./contract.ts"
import { requireWebhook } from "./require-webhook.ts"
import { showWebhook } from "./rules.ts"

export const getWebhook: Operation<typeof webhooks.getWebhook> = async (ctx, { params }) =>
  showWebhook(requireWebhook(ctx, await ctx.store.webhooks.read(params.webhookId, ctx.caller.account.id)))
