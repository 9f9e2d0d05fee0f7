import type { Operation } from "../context.ts"
import type { keys } from "./contract.ts"
import { showKey } from "./rules.ts"
import { requireKey } from "./steps.ts"

export const getKey: Operation<typeof keys.getKey> = async (ctx, { params }) =>
  showKey(requireKey(ctx, await ctx.store.keys.read(params.id)))
