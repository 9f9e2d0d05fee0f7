import { listed } from "../../kernel/json/json-response.ts"
import type { Operation } from "../context.ts"
import type { webhooks } from "./contract.ts"
import { showWebhook } from "./rules.ts"

export const listWebhooks: Operation<typeof webhooks.listWebhooks> = async (ctx, { page }) =>
  listed(await ctx.store.webhooks.list(ctx.caller.account.id, page), showWebhook)
