import { listed } from "../../kernel/json/json-response.ts"
import type { Operation } from "../context.ts"
import type { keys } from "./contract.ts"
import { showKey } from "./rules.ts"

export const listKeys: Operation<typeof keys.listKeys> = async (ctx, { page }) =>
  listed(await ctx.store.keys.list(ctx.caller.account.id, page), showKey)
