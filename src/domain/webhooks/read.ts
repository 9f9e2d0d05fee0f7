import type { Operation } from "../context.ts"
import type { webhooks } from "./contract.ts"
import { shown } from "./rules.ts"
import { found } from "./steps.ts"

export const getWebhook: Operation<typeof webhooks.getWebhook> = async (ctx, { params }) =>
  shown(await found(ctx, ctx.store, params.webhookId))
