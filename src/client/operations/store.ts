// Generated from the contract; npm run golden writes it again.

import type { CallOptions, ClientResponse, Idempotent } from "../client.ts"
import type { ApiResponse } from "./pet.ts"

export interface StoreOperations {
  /**
   * List orders with the times and the people that placed them. As `GET /store/order`, whose orders have the
   * members of the classic Petstore only. Needs the scope `read:orders`.
   */
  listOrderRecords(input?: { query?: { status?: OrderStatus[]; petId?: number; sort?: "-id" | "id"; limit?: number; cursor?: string } }, options?: CallOptions): Promise<ClientResponse<OrderRecord[]>>

  /**
   * Find an order with the time and the person that placed it. Customers find their own orders, staff find all.
   * Needs the scope `read:orders`. May be refused with `order-not-found`.
   */
  getOrderRecord(input: { params: { orderId: number } }, options?: CallOptions): Promise<ClientResponse<OrderRecord>>

  /**
   * Count the pets by status. Needs the scope `read:orders`.
   */
  getInventory(input?: Record<never, never>, options?: CallOptions): Promise<ClientResponse<Inventory>>

  /**
   * Order a pet. Only an available pet can be ordered; it becomes pending. The new order is `placed`; `status` and
   * `complete` in the body are ignored. The operator may limit the open orders of a customer, and how many days an
   * order waits for approval before it is cancelled. Needs the scope `write:orders`. May be refused with
   * `pet-not-available`, `order-exists`, `too-many-open-orders`.
   */
  placeOrder(input: { body: NewOrder } & Idempotent, options?: CallOptions): Promise<ClientResponse<Order>>

  /**
   * List orders. Newest first by default. Customers see their own orders, staff see all. Needs the scope
   * `read:orders`.
   */
  listOrders(input?: { query?: { status?: OrderStatus[]; petId?: number; sort?: "-id" | "id"; limit?: number; cursor?: string } }, options?: CallOptions): Promise<ClientResponse<Order[]>>

  /**
   * Find an order by its id. Customers find their own orders, staff find all. Needs the scope `read:orders`. May
   * be refused with `order-not-found`.
   */
  getOrderById(input: { params: { orderId: number } }, options?: CallOptions): Promise<ClientResponse<Order>>

  /**
   * Approve or deliver an order. For staff. A JSON merge patch (RFC 7396) of the status. Delivering makes the
   * order complete and the pet sold. Needs the scope `write:orders`. May be refused with `order-not-found`,
   * `order-status-conflict`, `role-missing`.
   */
  patchOrder(input: { params: { orderId: number }; body: OrderPatch }, options?: CallOptions): Promise<ClientResponse<Order>>

  /**
   * Cancel an order. Makes the pet of an undelivered order available again; the pet of a delivered order stays
   * sold. Staff may cancel any order. Needs the scope `write:orders`. May be refused with `order-not-found`.
   */
  deleteOrder(input: { params: { orderId: number } }, options?: CallOptions): Promise<ClientResponse<ApiResponse>>
}

type OrderStatus = "placed" | "approved" | "delivered"

type OrderRecord = {
  id: number
  petId: number
  quantity: number
  shipDate?: string
  status: OrderStatus
  complete: boolean
  placedAt?: string
  accountId?: number
  accountName?: string
  username?: string
}

type Inventory = {
  available: number
  pending: number
  sold: number
}

export type NewOrder = {
  id?: number
  petId: number
  quantity?: number
  shipDate?: string
  status?: OrderStatus
  complete?: boolean
}

export type Order = {
  id: number
  petId: number
  quantity: number
  shipDate?: string
  status: OrderStatus
  complete: boolean
}

type OrderPatch = {
  status: OrderStatus
}
