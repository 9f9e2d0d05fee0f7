import type { Static } from "typebox"
import { Id, object, time } from "../../../kernel/schema/schema.ts"
import { Type } from "../../../kernel/schema/type.ts"
import { Account } from "../../accounts/contract.ts"
import { endpointsWith } from "../../endpoint.ts"
import { Order, orders } from "../contract.ts"

const placed = "2026-01-02T15:04:05.000Z"

/** Not members of an order, which has exactly those of the classic one. */
const origin = {
  placedAt: Type.Optional(time("When the order was placed; absent if that was before times were recorded", [placed])),
  accountId: Type.Optional({ ...Id, description: "The account that the order belongs to" }),
  accountName: Type.Optional(Account.properties.name),
  username: Type.Optional(
    Type.String({ description: "The user who placed the order; absent if a program did, or the user was deleted" }),
  ),
}

export const OrderRecord = object(
  "OrderRecord",
  { ...Order.properties, ...origin },
  {
    examples: [
      {
        ...(Order as { examples?: object[] }).examples?.[0],
        placedAt: placed,
        accountId: 10,
        accountName: "user1",
        username: "user1",
      },
    ],
  },
)
export type OrderRecord = Static<typeof OrderRecord>

const reading = endpointsWith({ tag: "store", scope: "read:orders" })

export const orderRecords = {
  listOrderRecords: reading("GET", "/orders", {
    summary: "List orders with the times and the people that placed them",
    description: "As `GET /store/order`, whose orders have the members of the classic Petstore only.",
    command: "orders list-records",
    query: orders.listOrders.query,
    response: Type.Array(OrderRecord, { maxItems: 1000 }),
    paged: true,
    counted: true,
    sorts: orders.listOrders.sorts,
  }),

  getOrderRecord: reading("GET", "/orders/{orderId}", {
    summary: "Find an order with the time and the person that placed it",
    description: "Customers find their own orders, staff find all.",
    command: "orders get-record",
    response: OrderRecord,
    problems: ["order-not-found"],
  }),
}
