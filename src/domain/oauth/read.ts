import type { Operation } from "../context.ts"
import type { oauth } from "./contract.ts"
import { found } from "./steps.ts"

export const getOAuthClient: Operation<typeof oauth.getOAuthClient> = async (ctx, { params }) =>
  found(await ctx.store.oauthClients.read(params.id, ctx.caller.account.id), ctx.refuse)
