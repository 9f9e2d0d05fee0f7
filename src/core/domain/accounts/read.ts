import type { Verb } from "../context.ts"
import { readLimitUsage } from "./limit-usage.ts"

export const getOwnAccount: Verb<"getOwnAccount"> = async (ctx) => ({
  ...ctx.caller.account,
  scopes: [...ctx.caller.scopes],
  limits: await readLimitUsage(ctx, ctx.caller.account),
  store: await ctx.store.origin.storeId(),
})

export const getAccount: Verb<"getAccount"> = async (ctx, { params }) => {
  const account = (await ctx.store.accounts.read(params.id)) ?? ctx.refuse("account-not-found")
  return { ...account, limits: await readLimitUsage(ctx, account) }
}
