import type { Operation } from "../context.ts"
import type { oauth } from "./contract.ts"

export const getOAuthClient: Operation<typeof oauth.getOAuthClient> = async (ctx, { params }) =>
  (await ctx.store.oauthClients.read(params.id, ctx.caller.account.id)) ?? ctx.refuse("oauth-client-not-found")
