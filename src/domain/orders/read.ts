import { JsonResponse } from "../../kernel/json-response.ts"
import type { Operation } from "../context.ts"
import type { orders } from "./contract.ts"
import { requireOrder } from "./require-order.ts"

export const getOrderById: Operation<typeof orders.getOrderById> = async (ctx, { params }) =>
  new JsonResponse(requireOrder(ctx, await ctx.store.orders.read(params.orderId)).json)

export const getInventory: Operation<typeof orders.getInventory> = (ctx) => ctx.store.pets.inventory()
