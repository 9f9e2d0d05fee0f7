import { timestamp } from "../../../kernel/clock.ts"
import { fromJson } from "../../../kernel/json/json.ts"
import type { Verb } from "../../context.ts"
import type { Order } from "../contract.ts"
import { findOrders } from "../find.ts"
import { requireOrder } from "../rules.ts"
import type { OrderOrigin } from "../store.ts"
import type { OrderRecord } from "./contract.ts"

export const listOrderRecords: Verb<"listOrderRecords"> = async (ctx, { query, page }) => {
  const found = await findOrders(ctx, { query, page })
  const orders = found.items.map((item) => fromJson(item))
  const origins = await ctx.store.orders.origins(orders.map(({ id }) => id))
  return { ...found, items: orders.map((order) => toRecord(order, origins)) }
}

export const getOrderRecord: Verb<"getOrderRecord"> = async (ctx, { params: { orderId } }) => {
  const { json } = ctx.accept(requireOrder(await ctx.store.orders.read(orderId), ctx.caller))
  return toRecord(fromJson(json), await ctx.store.orders.origins([orderId]))
}

function toRecord(order: Order, origins: ReadonlyMap<number, OrderOrigin>): OrderRecord {
  const { placedAt, accountId, accountName, username } = origins.get(order.id) ?? {}
  return {
    ...order,
    ...(placedAt !== undefined && { placedAt: timestamp(placedAt) }),
    ...(accountId !== undefined && { accountId }),
    ...(accountName !== undefined && { accountName }),
    ...(username !== undefined && { username }),
  }
}
