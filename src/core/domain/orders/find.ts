import { type Cursor, cursorAt, startOf } from "../../kernel/endpoint/page.ts"
import { countedMax, withTotal } from "../../kernel/endpoint/total.ts"
import { isStaff } from "../accounts/rules.ts"
import type { ContextPart } from "../context.ts"
import { type OrderStatus, orderStatuses } from "./contract.ts"

type Search = {
  query: { petId?: number; status?: OrderStatus[] }
  page: { limit: number; sort: "id" | "-id" | undefined; cursor: Cursor | undefined }
}

/** A page of the orders that the caller may see, with the total of the list if the client asks for it. */
export async function findOrders(
  ctx: ContextPart<"store" | "wantsTotal" | "caller" | "accept">,
  { query, page: { limit, sort = "-id", cursor } }: Search,
) {
  const accountId = isStaff(ctx.caller) ? undefined : ctx.caller.ownerId
  const filter = { accountId, petId: query.petId, statuses: query.status ?? orderStatuses }
  const after = ctx.accept(startOf({ cursor }, sort))?.id
  const { next, ...page } = await ctx.store.orders.list(filter, { limit, sort, after })
  const found = { ...page, next: cursorAt(sort, next) }
  return ctx.wantsTotal ? withTotal(found, ctx.store.orders.total(filter, countedMax)) : found
}
