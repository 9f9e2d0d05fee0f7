import type { Order } from "../../../domain/orders/contract.ts"
import type { LockedOrder, OrderStore, StoredOrder } from "../../../domain/orders/store.ts"
import { fromJson, json } from "../../../kernel/json/json.ts"
import { createIdSequence } from "../ids.ts"
import { type Connection, forUpdate, sql } from "../statement.ts"
import { lockAccount } from "./accounts.ts"
import { listOrders } from "./order-lists.ts"

const read = sql<{ id: number }, StoredOrder>`
  SELECT json, account_id AS "accountId" FROM orders WHERE id = ${"id"}`

const lock = sql<{ id: number }, StoredOrder>`
  SELECT json, account_id AS "accountId" FROM orders WHERE id = ${"id"} ${forUpdate}`

const openFor = sql<{ petId: number }, { id: number }>`
  SELECT id FROM orders WHERE pet_id = ${"petId"} AND status IN ('placed', 'approved')`

const countOpen = sql<{ accountId: number; max: number }, { count: number }>`
  SELECT count(*) AS "count" FROM (
    SELECT 1 FROM orders WHERE account_id = ${"accountId"} AND status IN ('placed', 'approved') LIMIT ${"max"}
  ) AS open`

const waiting = sql<{ before: number; limit: number }, { id: number }>`
  SELECT id FROM orders WHERE waiting_since < ${"before"} ORDER BY waiting_since, id LIMIT ${"limit"}`

const lockWaiting = sql<{ id: number; before: number }, StoredOrder>`
  SELECT json, account_id AS "accountId" FROM orders
  WHERE id = ${"id"} AND waiting_since < ${"before"} ${forUpdate}`

const add = sql<
  OrderRow & { petId: number; accountId: number; userId: number | undefined; waitingSince: number | undefined }
>`
  INSERT INTO orders (id, pet_id, account_id, user_id, status, json, waiting_since)
  VALUES (${"id"}, ${"petId"}, ${"accountId"}, ${"userId"}, ${"status"}, ${"json"}, ${"waitingSince"})
  ON CONFLICT (id) DO NOTHING`

const put = sql<OrderRow>`
  UPDATE orders SET status = ${"status"}, json = ${"json"},
         waiting_since = CASE WHEN ${"status"} = 'placed' THEN waiting_since END
  WHERE id = ${"id"}`

const remove = sql<{ id: number }>`DELETE FROM orders WHERE id = ${"id"}`

const nextId = createIdSequence("orders")

type OrderRow = { id: number; status: string; json: string }

export const orderStore = (db: Connection): OrderStore => ({
  nextId: () => nextId(db),
  read: (id) => db.one(read, { id }),
  lock: async (id) => toLockedOrder(await db.one(lock, { id })),
  openFor: async (petId) => (await db.one(openFor, { petId }))?.id,

  async countOpen(accountId, max) {
    await lockAccount(db, accountId)
    return Number((await db.one(countOpen, { accountId, max }))?.count)
  },
  waiting: async (before, limit) => (await db.all(waiting, { before, limit })).map(({ id }) => id),
  lockWaiting: async (id, before) => toLockedOrder(await db.one(lockWaiting, { id, before })),

  async add(order, accountId, userId, placedAt) {
    const waitingSince = order.status === "placed" ? placedAt : undefined
    const row = { ...toRow(order), petId: order.petId, accountId, userId, waitingSince }
    return (await db.run(add, row)) > 0
  },
  put: (order) => db.exec(put, toRow(order)),
  remove: (id) => db.exec(remove, { id }),

  list: (filter, page) => listOrders(db, filter, page),
})

const toLockedOrder = (row: StoredOrder | undefined): LockedOrder | undefined =>
  row && { order: fromJson(row.json), accountId: row.accountId }

const toRow = (order: Order): OrderRow => ({ id: order.id, status: order.status, json: json(order) })
