import { andThen } from "../../kernel/flow/awaitable.ts"
import { JsonResponse } from "../../kernel/json/json-response.ts"
import type { Operation } from "../context.ts"
import { requireOrder } from "./require-order.ts"

export const getOrderById: Operation<"getOrderById"> = (ctx, { params }) =>
  andThen(
    ctx,
    ctx.store.orders.read(params.orderId),
    (asked, found) => new JsonResponse(requireOrder(asked, found).json),
  )
