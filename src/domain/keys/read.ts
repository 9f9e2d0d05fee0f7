import type { Operation } from "../context.ts"
import type { keys } from "./contract.ts"
import { shown } from "./rules.ts"
import { visible } from "./steps.ts"

export const getKey: Operation<typeof keys.getKey> = async (ctx, { params }) =>
  shown(visible(ctx, await ctx.store.keys.read(params.id)))
