import { andThen } from "../../kernel/flow/awaitable.ts"
import { cursorAt, startOf } from "../../kernel/page.ts"
import { isStaff } from "../accounts/rules.ts"
import type { Verb } from "../context.ts"
import { requireUser } from "./rules.ts"

export const listUsers: Verb<"listUsers"> = async (ctx, { page: { limit, sort = "-id", cursor } }) => {
  if (!isStaff(ctx.caller)) ctx.refuse("role-missing", "Only staff may list users")
  const behind = ctx.accept(startOf({ cursor }, sort))?.id
  const { items, next } = await ctx.store.users.list({ limit, sort, behind })
  return { items, next: cursorAt(sort, next) }
}

export const getUserByName: Verb<"getUserByName"> = (ctx, { params }) =>
  andThen(
    ctx,
    ctx.store.users.byName(params.username),
    ({ accept, caller }, found) => accept(requireUser(found, caller)).user,
  )
