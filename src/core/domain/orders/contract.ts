import type { Static } from "typebox"
import { classicTypes, jsonOrXml, patchTypes } from "../../kernel/network/media-types.ts"
import { chosenId, Id, list, named, object } from "../../kernel/schema/schema.ts"
import { Type } from "../../kernel/schema/type.ts"
import { endpointsWith } from "../endpoint.ts"
import { PetStatus } from "../pets/contract.ts"

export const orderStatuses = ["placed", "approved", "delivered"] as const

export const OrderStatus = named(
  "OrderStatus",
  Type.Enum(orderStatuses, { description: "Progress of the order; it moves one step at a time and never back" }),
)
export type OrderStatus = Static<typeof OrderStatus>

const Quantity = Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1, format: "int32", description: "Defaults to 1" })
const Complete = Type.Boolean({ description: "Whether the pet has been delivered" })
const ShipDate = Type.String({ format: "date-time", maxLength: 64, description: "RFC 3339" })

const example = { petId: 7, quantity: 1, shipDate: "2026-01-02T15:04:05.000Z" }

export const Order = object(
  "Order",
  {
    id: Id,
    petId: Id,
    quantity: Quantity,
    shipDate: Type.Optional(ShipDate),
    status: OrderStatus,
    complete: Complete,
  },
  { examples: [{ id: 10, ...example, status: "placed", complete: false }], xml: { name: "order" } },
)
export type Order = Static<typeof Order>

const CancelReason = Type.Enum(["requested", "expired"], {
  description: "`requested` when it was deleted, `expired` when it was not approved in time",
})
export type CancelReason = Static<typeof CancelReason>

export const CancelledOrder = object(
  "CancelledOrder",
  { ...Order.properties, reason: Type.Optional(CancelReason) },
  { examples: [{ id: 10, ...example, status: "placed", complete: false, reason: "expired" }] },
)

export const OrderDraft = object(
  "OrderDraft",
  {
    id: Type.Optional(chosenId("Generated when omitted or 0")),
    petId: Id,
    quantity: Type.Optional(Quantity),
    shipDate: Type.Optional(ShipDate),
    status: Type.Optional(OrderStatus),
    complete: Type.Optional(Complete),
  },
  { examples: [example], xml: { name: "order" }, "x-ignored": ["status", "complete"] },
)
export type OrderDraft = Static<typeof OrderDraft>

const OrderPatch = object("OrderPatch", { status: OrderStatus }, { examples: [{ status: "approved" }] })

const Count = Type.Integer({ minimum: 0, format: "int64" })
const Inventory = object(
  "Inventory",
  Object.fromEntries(PetStatus.enum.map((status) => [status, Count])) as Record<PetStatus, typeof Count>,
  {
    examples: [Object.fromEntries(PetStatus.enum.map((status, n) => [status, [7, 2, 1][n] ?? 0]))],
    xml: { name: "inventory" },
  },
)

const reading = endpointsWith({ tag: "store", scope: "read:orders" })
const writing = endpointsWith({ tag: "store", scope: "write:orders" })

export const orders = {
  getInventory: reading("GET", "/store/inventory", {
    summary: "Count the pets by status",
    command: "inventory get",
    response: Inventory,
    produces: jsonOrXml,
  }),

  placeOrder: writing("POST", "/store/order", {
    summary: "Order a pet",
    description:
      "Only an available pet can be ordered; it becomes pending. The new order is `placed`; `status` and `complete` in the " +
      "body are ignored. The operator may limit the open orders of a customer, and how many days an order waits for " +
      "approval before it is cancelled.",
    command: "orders place",
    body: OrderDraft,
    consumes: classicTypes,
    response: Order,
    produces: jsonOrXml,
    problems: ["pet-not-available", "order-exists", "too-many-open-orders"],
    idempotent: "by-key",
  }),

  listOrders: reading("GET", "/store/order", {
    summary: "List orders",
    description: "Newest first by default. Customers see their own orders, staff see all.",
    command: "orders list",
    query: Type.Object({
      status: Type.Optional({ ...list(OrderStatus), description: "Any of these; repeated or separated by commas" }),
      petId: Type.Optional({ ...Id, description: "Orders for this pet only" }),
    }),
    response: Type.Array(Order, { maxItems: 1000 }),
    paged: true,
    counted: true,
    sorts: ["-id", "id"],
  }),

  getOrderById: reading("GET", "/store/order/{orderId}", {
    summary: "Find an order by its id",
    description: "Customers find their own orders, staff find all.",
    command: "orders get",
    response: Order,
    produces: jsonOrXml,
    problems: ["order-not-found"],
  }),

  patchOrder: writing("PATCH", "/store/order/{orderId}", {
    summary: "Approve or deliver an order",
    description:
      "For staff. A JSON merge patch (RFC 7396) of the status. Delivering makes the order complete and the pet sold.",
    command: "orders move",
    body: OrderPatch,
    consumes: patchTypes,
    response: Order,
    problems: ["order-not-found", "order-status-conflict", "role-missing"],
  }),

  deleteOrder: writing("DELETE", "/store/order/{orderId}", {
    summary: "Cancel an order",
    description:
      "Makes the pet of an undelivered order available again; the pet of a delivered order stays sold. Staff may cancel any " +
      "order.",
    command: "orders cancel",
    produces: jsonOrXml,
    problems: ["order-not-found"],
  }),
}
