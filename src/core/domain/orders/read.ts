import { JsonResponse } from "../../kernel/endpoint/json-response.ts"
import { andThen } from "../../kernel/flow/awaitable.ts"
import type { Verb } from "../context.ts"
import { findOrders } from "./find.ts"
import { requireOrder } from "./rules.ts"

export const listOrders: Verb<"listOrders"> = findOrders

export const getOrderById: Verb<"getOrderById"> = (ctx, { params }) =>
  andThen(
    ctx,
    ctx.store.orders.read(params.orderId),
    ({ accept, caller }, found) => new JsonResponse(accept(requireOrder(found, caller)).json),
  )
