import type { Verb } from "../context.ts"

export const getOAuthClient: Verb<"getOAuthClient"> = async (ctx, { params }) =>
  (await ctx.store.oauthClients.read(params.id, ctx.caller.account.id)) ?? ctx.refuse("oauth-client-not-found")
