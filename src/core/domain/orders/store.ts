import type { PageById, PageText } from "../../kernel/endpoint/page.ts"
import type { ListTotal } from "../../kernel/endpoint/total.ts"
import type { Awaitable } from "../../kernel/flow/awaitable.ts"
import type { Json } from "../../kernel/json/json.ts"
import type { Order, OrderStatus } from "./contract.ts"

/** An order as JSON text, and its account. */
export type StoredOrder = { json: Json<Order>; accountId: number }

/**
 * An order locked until the transaction ends, and its account. One that does not reserve its pet was placed below `/v2` for a pet that
 * was not available or did not exist, and never changes a pet.
 */
export type LockedOrder = { order: Order; accountId: number; reservesPet: boolean }

/** Where an order came from. Without a time if it was placed before times were recorded; without a user if there is none. */
export type OrderOrigin = {
  placedAt: number | undefined
  accountId: number
  accountName: string
  username: string | undefined
}

/** Filters a list of orders; undefined matches all. */
type OrderFilter = {
  accountId: number | undefined
  petId: number | undefined
  statuses: readonly OrderStatus[]
}

/** Orders in storage. */
export type OrderStore = {
  /** The next free id: higher than every generated id, and not one chosen by a client. */
  nextId(): Promise<number>
  /** Generates ids above this one, which must be above every generated id. */
  continueIdsAfter(id: number): Promise<void>
  /** The order as stored; undefined when there is none. */
  read(id: number): Awaitable<StoredOrder | undefined>
  /** The order, locked until the transaction ends; undefined when there is none. */
  lock(id: number): Promise<LockedOrder | undefined>
  /** The origins of those of these orders that exist, by id. */
  origins(ids: readonly number[]): Promise<ReadonlyMap<number, OrderOrigin>>
  /** The id of the undelivered order that reserves this pet; there is at most one. */
  openFor(petId: number): Promise<number | undefined>
  /** Number of the account's undelivered orders, counted up to `max`. Blocks further orders of the account until the transaction ends. */
  countOpen(accountId: number, max: number): Promise<number>
  /** Up to `limit` unapproved orders placed before `before` (ms), oldest first, and when (ms). */
  waiting(before: number, limit: number): Promise<{ id: number; since: number }[]>
  /** Such an order, locked until the transaction ends; undefined when it no longer qualifies. */
  lockWaiting(id: number, before: number): Promise<LockedOrder | undefined>
  /**
   * Adds an order of an account, placed at this time (ms) by a user or a program; false when its id is taken. It reserves its pet
   * unless `reservesPet` is false.
   */
  add(
    order: Order,
    accountId: number,
    userId: number | undefined,
    placedAt: number,
    reservesPet?: boolean,
  ): Promise<boolean>
  /** Replaces an existing order. */
  put(order: Order): Promise<void>
  /** Deletes the order; no error when there is none. */
  remove(id: number): Promise<void>
  /** How many orders match the filter, counted up to `max`. */
  total(filter: OrderFilter, max: number): Promise<ListTotal>
  /** Orders by id. */
  list(filter: OrderFilter, page: PageById): Awaitable<PageText<Order[]>>
}
