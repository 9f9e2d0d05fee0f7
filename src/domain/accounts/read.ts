import type { Context, Operation } from "../context.ts"
import type { accounts } from "./contract.ts"

export const getOwnAccount: Operation<typeof accounts.getOwnAccount> = async (ctx) => ({
  ...ctx.caller.account,
  scopes: [...ctx.caller.scopes],
  limits: await standingsOf(ctx),
})

/** Where the caller's account stands in each window of its plan; empty when the plan has no limit. */
async function standingsOf({ caller, limiter, plans }: Pick<Context, "caller" | "limiter" | "plans">) {
  const { id, plan } = caller.account
  const quota = plans[plan]
  return quota ? [...(await limiter.standings(id, quota))] : []
}

export const getAccount: Operation<typeof accounts.getAccount> = async (ctx, { params }) =>
  (await ctx.store.accounts.read(params.id)) ?? ctx.refuse("account-not-found", "Account not found")
