import type { Verb } from "../context.ts"
import { readStandings } from "./standings.ts"

export const getOwnAccount: Verb<"getOwnAccount"> = async (ctx) => ({
  ...ctx.caller.account,
  scopes: [...ctx.caller.scopes],
  limits: await readStandings(ctx, ctx.caller.account),
  store: await ctx.store.origin.storeId(),
})

export const getAccount: Verb<"getAccount"> = async (ctx, { params }) => {
  const account = (await ctx.store.accounts.read(params.id)) ?? ctx.refuse("account-not-found")
  return { ...account, limits: await readStandings(ctx, account) }
}
