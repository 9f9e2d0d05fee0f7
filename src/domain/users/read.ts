import type { Operation } from "../context.ts"
import type { users } from "./contract.ts"
import { requireUser } from "./require-user.ts"

export const getUserByName: Operation<typeof users.getUserByName> = async (ctx, { params }) =>
  requireUser(ctx, await ctx.store.users.byName(params.username)).user
