import { json } from "../../kernel/json/json.ts"
import { JsonResponse } from "../../kernel/json/json-response.ts"
import type { Operation } from "../context.ts"
import type { accounts } from "./contract.ts"

export const listAccounts: Operation<typeof accounts.listAccounts> = async (ctx, { page }) => {
  const { items, next } = await ctx.store.accounts.list(page)
  return new JsonResponse(json(items), { next })
}
