import { listed } from "../../kernel/json/json-response.ts"
import type { Operation } from "../context.ts"
import type { accounts } from "./contract.ts"

export const listAccounts: Operation<typeof accounts.listAccounts> = async (ctx, { page }) =>
  listed(await ctx.store.accounts.list(page))
