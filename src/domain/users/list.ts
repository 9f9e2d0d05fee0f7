import { jsonArray } from "../../kernel/json.ts"
import { JsonResponse } from "../../kernel/json-response.ts"
import { isStaff } from "../accounts/rules.ts"
import type { Operation } from "../context.ts"
import type { users } from "./contract.ts"

export const listUsers: Operation<typeof users.listUsers> = async (ctx, { page }) => {
  if (!isStaff(ctx.caller)) ctx.refuse("role-missing", "Only staff may list users")
  const { items, next } = await ctx.store.users.list(page)
  return new JsonResponse(jsonArray(items), { next })
}
