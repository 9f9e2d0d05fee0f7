import type { Operation } from "../context.ts"
import type { oauth } from "./contract.ts"
import { requireClient } from "./steps.ts"

export const getOAuthClient: Operation<typeof oauth.getOAuthClient> = async (ctx, { params }) =>
  requireClient(await ctx.store.oauthClients.read(params.id, ctx.caller.account.id), ctx.refuse)
