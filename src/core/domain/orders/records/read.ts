import { timestamp } from "../../../kernel/clock.ts"
import type { PageText } from "../../../kernel/endpoint/page.ts"
import { fromJson, json } from "../../../kernel/json/json.ts"
import { listAs } from "../../../kernel/json/kept-text.ts"
import type { ContextPart, Verb } from "../../context.ts"
import type { Order } from "../contract.ts"
import { findOrders } from "../find.ts"
import { requireOrder } from "../rules.ts"
import type { OrderOrigin } from "../store.ts"
import { OrderRecord } from "./contract.ts"

export const listOrderRecords: Verb<"listOrderRecords"> = async (ctx, input) =>
  pageOfOrderRecords(ctx, await findOrders(ctx, input))

/** A page of orders with the times and the people that placed them. */
export async function pageOfOrderRecords<Next>(
  { store }: ContextPart<"store">,
  page: PageText<Order[], Next>,
): Promise<PageText<OrderRecord[], Next>> {
  const records = await listAs<Order, OrderRecord>(page, OrderRecord, async (orders) => {
    const origins = await store.orders.origins(orders.map(({ id }) => id))
    return orders.map((order) => json(toRecord(order, origins)))
  })
  return { ...page, ...records }
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
