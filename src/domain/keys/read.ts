import { mapPage } from "../../kernel/page.ts"
import type { Operation } from "../context.ts"
import type { keys } from "./contract.ts"
import { requireVisible, showKey } from "./rules.ts"

export const listKeys: Operation<typeof keys.listKeys> = async (ctx, { page }) =>
  mapPage(await ctx.store.keys.list(ctx.caller.account.id, page), showKey)

export const getKey: Operation<typeof keys.getKey> = async (ctx, { params }) =>
  showKey(ctx.accept(requireVisible(await ctx.store.keys.read(params.id), ctx.caller)))
