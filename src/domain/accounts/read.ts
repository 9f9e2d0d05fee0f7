import type { Operation } from "../context.ts"
import { standingsOf } from "./standings.ts"

export const getOwnAccount: Operation<"getOwnAccount"> = async (ctx) => ({
  ...ctx.caller.account,
  scopes: [...ctx.caller.scopes],
  limits: await standingsOf(ctx, ctx.caller.account),
  store: await ctx.store.origin.storeId(),
})

export const getAccount: Operation<"getAccount"> = async (ctx, { params }) => {
  const account = (await ctx.store.accounts.read(params.id)) ?? ctx.refuse("account-not-found")
  return { ...account, limits: await standingsOf(ctx, account) }
}
