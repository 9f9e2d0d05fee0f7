import { JsonResponse } from "../../kernel/endpoint/json-response.ts"
import { cursorAt, startOf } from "../../kernel/endpoint/page.ts"
import { countedMax, withTotal } from "../../kernel/endpoint/total.ts"
import { andThen } from "../../kernel/flow/awaitable.ts"
import { isStaff } from "../accounts/rules.ts"
import type { Verb } from "../context.ts"
import { orderStatuses } from "./contract.ts"
import { requireOrder } from "./rules.ts"

export const listOrders: Verb<"listOrders"> = async (ctx, { query, page: { limit, sort = "-id", cursor } }) => {
  const accountId = isStaff(ctx.caller) ? undefined : ctx.caller.ownerId
  const filter = { accountId, petId: query.petId, statuses: query.status ?? orderStatuses }
  const after = ctx.accept(startOf({ cursor }, sort))?.id
  const { items, next } = await ctx.store.orders.list(filter, { limit, sort, after })
  const found = { items, next: cursorAt(sort, next) }
  return ctx.wantsTotal ? withTotal(found, ctx.store.orders.total(filter, countedMax)) : found
}

export const getOrderById: Verb<"getOrderById"> = (ctx, { params }) =>
  andThen(
    ctx,
    ctx.store.orders.read(params.orderId),
    ({ accept, caller }, found) => new JsonResponse(accept(requireOrder(found, caller)).json),
  )
