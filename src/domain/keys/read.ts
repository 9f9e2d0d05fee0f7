import { mapPage } from "../../kernel/page.ts"
import type { Operation } from "../context.ts"
import { requireKey, showKey } from "./rules.ts"

export const listKeys: Operation<"listKeys"> = async (ctx, { page }) =>
  mapPage(await ctx.store.keys.list(ctx.caller.account.id, page), showKey)

export const getKey: Operation<"getKey"> = async (ctx, { params }) =>
  showKey(ctx.accept(requireKey(await ctx.store.keys.read(params.id), ctx.caller)))
