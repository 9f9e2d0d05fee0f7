import { mapPage } from "../../kernel/endpoint/page.ts"
import type { Verb } from "../context.ts"
import { requireKey, showKey } from "./rules.ts"

export const listKeys: Verb<"listKeys"> = async (ctx, { page }) =>
  mapPage(await ctx.store.keys.list(ctx.caller.account.id, page), showKey)

export const getKey: Verb<"getKey"> = async (ctx, { params }) =>
  showKey(ctx.accept(requireKey(await ctx.store.keys.read(params.id), ctx.caller)))
