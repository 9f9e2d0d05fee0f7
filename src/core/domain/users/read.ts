import { cursorAt, startOf } from "../../kernel/endpoint/page.ts"
import { andThen } from "../../kernel/flow/awaitable.ts"
import { fromJson } from "../../kernel/json/json.ts"
import { isStaff } from "../accounts/rules.ts"
import type { Verb } from "../context.ts"
import type { UserRecord } from "./model.ts"
import { requireUser, toUser, toUserRole } from "./rules.ts"

export const listUsers: Verb<"listUsers"> = (ctx, { page }) => list(ctx, page, toUser)

export const listRoles: Verb<"listRoles"> = (ctx, { page }) => list(ctx, page, toUserRole)

type ListVerb = Verb<"listUsers" | "listRoles">

async function list<Shown>(
  ctx: Parameters<ListVerb>[0],
  { limit, sort = "-id", cursor }: Parameters<ListVerb>[1]["page"],
  show: (user: UserRecord) => Shown,
) {
  if (!isStaff(ctx.caller)) ctx.refuse("role-missing", "Only staff may list users")
  const after = ctx.accept(startOf({ cursor }, sort))?.id
  const { items, next } = await ctx.store.users.list({ limit, sort, after })
  return { items: items.map((item) => show(fromJson(item))), next: cursorAt(sort, next) }
}

export const getUserByName: Verb<"getUserByName"> = (ctx, { params }) =>
  andThen(ctx, ctx.store.users.byName(params.username), ({ accept, caller }, found) =>
    toUser(accept(requireUser(found, caller)).user),
  )

export const getRole: Verb<"getRole"> = async (ctx, { params }) => {
  const found = await ctx.store.users.byName(params.username)
  return toUserRole(ctx.accept(requireUser(found, ctx.caller)).user)
}
