import { listed } from "../../kernel/json/json-response.ts"
import type { Operation } from "../context.ts"
import type { oauth } from "./contract.ts"

export const listOAuthClients: Operation<typeof oauth.listOAuthClients> = async (ctx, { page }) =>
  listed(await ctx.store.oauthClients.list(ctx.caller.account.id, page))
