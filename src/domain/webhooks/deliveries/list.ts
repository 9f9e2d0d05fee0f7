import { json } from "../../../kernel/json.ts"
import { Reply } from "../../../kernel/json-response.ts"
import type { Operation } from "../../context.ts"
import { found } from "../steps.ts"
import type { deliveries } from "./contract.ts"

export const listDeliveries: Operation<typeof deliveries.listDeliveries> = async (ctx, { params, query, page }) => {
  const webhook = await found(ctx, ctx.store, params.webhookId)
  const { items, next } = await ctx.store.deliveries.list(webhook.id, query.state, page)
  return new Reply(json(items), { next })
}
