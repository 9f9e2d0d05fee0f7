import { mapPage } from "../../kernel/endpoint/page.ts"
import type { Verb } from "../context.ts"
import { showWebhook } from "./rules.ts"

export const listWebhooks: Verb<"listWebhooks"> = async (ctx, { page }) =>
  mapPage(await ctx.store.webhooks.list(ctx.caller.account.id, page), showWebhook)

export const getWebhook: Verb<"getWebhook"> = async (ctx, { params }) =>
  showWebhook(
    (await ctx.store.webhooks.read(params.webhookId, ctx.caller.account.id)) ?? ctx.refuse("webhook-not-found"),
  )
