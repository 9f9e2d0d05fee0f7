import { json } from "../../../kernel/json/json.ts"
import { JsonResponse } from "../../../kernel/json/json-response.ts"
import type { Operation } from "../../context.ts"
import { requireWebhook } from "../require-webhook.ts"
import type { deliveries } from "./contract.ts"

export const listDeliveries: Operation<typeof deliveries.listDeliveries> = async (ctx, { params, query, page }) => {
  const webhook = await requireWebhook(ctx, ctx.store, params.webhookId)
  const { items, next } = await ctx.store.deliveries.list(webhook.id, query.state, page)
  return new JsonResponse(json(items), { next })
}
