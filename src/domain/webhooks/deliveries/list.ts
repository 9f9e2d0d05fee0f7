import { listed } from "../../../kernel/json/json-response.ts"
import type { Operation } from "../../context.ts"
import { requireWebhook } from "../require-webhook.ts"
import type { deliveries } from "./contract.ts"

export const listDeliveries: Operation<typeof deliveries.listDeliveries> = async (ctx, { params, query, page }) => {
  const webhook = requireWebhook(ctx, await ctx.store.webhooks.read(params.webhookId, ctx.caller.account.id))
  return listed(await ctx.store.deliveries.list(webhook.id, query.state, page))
}
