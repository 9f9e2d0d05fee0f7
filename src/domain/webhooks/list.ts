import { json } from "../../kernel/json/json.ts"
import { JsonResponse } from "../../kernel/json/json-response.ts"
import type { Operation } from "../context.ts"
import type { webhooks } from "./contract.ts"
import { showWebhook } from "./rules.ts"

export const listWebhooks: Operation<typeof webhooks.listWebhooks> = async (ctx, { page }) => {
  const { items, next } = await ctx.store.webhooks.list(ctx.caller.account.id, page)
  return new JsonResponse(json(items.map(showWebhook)), { next })
}
