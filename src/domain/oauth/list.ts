import { json } from "../../kernel/json/json.ts"
import { JsonResponse } from "../../kernel/json/json-response.ts"
import type { Operation } from "../context.ts"
import type { oauth } from "./contract.ts"

export const listOAuthClients: Operation<typeof oauth.listOAuthClients> = async (ctx, { page }) => {
  const { items, next } = await ctx.store.oauthClients.list(ctx.caller.account.id, page)
  return new JsonResponse(json(items), { next })
}
