import type { Operation } from "../context.ts"
import type { accounts } from "./contract.ts"

export const getOwnAccount: Operation<typeof accounts.getOwnAccount> = async (ctx) => ({
  ...ctx.caller.account,
  scopes: [...ctx.caller.scopes],
  limits: [...(await ctx.standings())],
})

export const getAccount: Operation<typeof accounts.getAccount> = async (ctx, { params }) =>
  (await ctx.store.accounts.read(params.id)) ?? ctx.refuse("account-not-found", "Account not found")
