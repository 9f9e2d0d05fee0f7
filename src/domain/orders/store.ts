import type { Awaitable } from "../../kernel/flow/awaitable.ts"
import type { Json } from "../../kernel/json/json.ts"
import type { PageById, PageOf } from "../../kernel/page.ts"
import type { Order, OrderStatus } from "./contract.ts"

/** An order as JSON text, and the account it belongs to. */
export type StoredOrder = { json: Json<Order>; accountId: number }

/** An order that nobody else changes until the transaction ends, and the account it belongs to. */
export type LockedOrder = { order: Order; accountId: number }

/** Which orders a list holds; undefined leaves them all. */
type OrderFilter = {
  accountId: number | undefined
  petId: number | undefined
  statuses: readonly OrderStatus[]
}

/** What the service asks storage about orders. */
export type OrderStore = {
  /** The next free id: above every id given before and unlike any a client chose. */
  nextId(): Promise<number>
  /** The order as stored; undefined when there is none. */
  read(id: number): Awaitable<StoredOrder | undefined>
  /** The order, locked until the transaction ends; undefined when there is none. */
  lock(id: number): Promise<LockedOrder | undefined>
  /** The id of the order for this pet that is not delivered yet; a pet never has two. */
  openFor(petId: number): Promise<number | undefined>
  /** Number of the account's undelivered orders, counted up to `max`. Blocks further orders of the account until the transaction ends. */
  countOpen(accountId: number, max: number): Promise<number>
  /** The ids of up to `limit` orders placed before `before` (ms) and not approved since, the oldest first. */
  waiting(before: number, limit: number): Promise<number[]>
  /** One of those, which nobody else changes until the transaction ends; undefined when it is none of them any more. */
  lockWaiting(id: number, before: number): Promise<LockedOrder | undefined>
  /** Adds an order of an account, placed at this time (ms) by a user or a program; false when its id is taken. */
  add(order: Order, accountId: number, userId: number | undefined, placedAt: number): Promise<boolean>
  /** Replaces an order that is there. */
  put(order: Order): Promise<void>
  /** Removes the order; no error when there is none. */
  remove(id: number): Promise<void>
  /** Orders in order of id. */
  list(filter: OrderFilter, page: PageById): Promise<PageOf<Json<Order>>>
}
