import type { Operation } from "../context.ts"
import type { oauth } from "./contract.ts"
import { requireClient } from "./require-client.ts"

export const getOAuthClient: Operation<typeof oauth.getOAuthClient> = async (ctx, { params }) =>
  requireClient(ctx, await ctx.store.oauthClients.read(params.id, ctx.caller.account.id))
