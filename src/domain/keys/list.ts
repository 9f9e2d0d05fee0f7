import { json } from "../../kernel/json.ts"
import { Reply } from "../../kernel/json-response.ts"
import type { Operation } from "../context.ts"
import type { keys } from "./contract.ts"
import { shown } from "./rules.ts"

export const listKeys: Operation<typeof keys.listKeys> = async (ctx, { page }) => {
  const { items, next } = await ctx.store.keys.list(ctx.caller.account.id, page)
  return new Reply(json(items.map(shown)), { next })
}
