import type { Operation } from "../context.ts"
import type { users } from "./contract.ts"
import { visible } from "./steps.ts"

export const getUserByName: Operation<typeof users.getUserByName> = async (ctx, { params }) =>
  visible(ctx, await ctx.store.users.byName(params.username)).user
