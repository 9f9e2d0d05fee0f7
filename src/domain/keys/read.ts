import type { Operation } from "../context.ts"
import type { keys } from "./contract.ts"
import { requireKey } from "./require-key.ts"
import { showKey } from "./rules.ts"

export const getKey: Operation<typeof keys.getKey> = async (ctx, { params }) =>
  showKey(requireKey(ctx, await ctx.store.keys.read(params.id)))
