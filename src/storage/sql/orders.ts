import type { Order } from "../../domain/orders/contract.ts"
import type { LockedOrder, OrderStore, StoredOrder } from "../../domain/orders/store.ts"
import type { Awaitable } from "../../kernel/awaitable.ts"
import { fromJson, type Json, json } from "../../kernel/json.ts"
import { pageOf } from "../../kernel/page.ts"
import { idMax } from "../../kernel/schema.ts"
import { createIdSequence } from "./ids.ts"
import { type Connection, elements, forUpdate, sql } from "./statement.ts"

const read = sql<{ id: number }, StoredOrder>`
  SELECT json AS "json", account_id AS "accountId" FROM orders WHERE id = ${"id"}`

const lock = sql<{ id: number }, StoredOrder>`
  SELECT json AS "json", account_id AS "accountId" FROM orders WHERE id = ${"id"} ${forUpdate}`

const openFor = sql<{ petId: number }, { id: number }>`
  SELECT id FROM orders WHERE pet_id = ${"petId"} AND status IN ('placed', 'approved')`

const lockAccount = sql<{ accountId: number }, { id: number }>`
  SELECT id FROM accounts WHERE id = ${"accountId"} ${forUpdate}`

const countOpen = sql<{ accountId: number; max: number }, { count: number }>`
  SELECT count(*) AS "count" FROM (
    SELECT 1 FROM orders WHERE account_id = ${"accountId"} AND status IN ('placed', 'approved') LIMIT ${"max"}
  ) AS open`

const waiting = sql<{ before: number; limit: number }, { id: number }>`
  SELECT id FROM orders WHERE waiting_since < ${"before"} ORDER BY waiting_since, id LIMIT ${"limit"}`

const lockWaiting = sql<{ id: number; before: number }, StoredOrder>`
  SELECT json AS "json", account_id AS "accountId" FROM orders
  WHERE id = ${"id"} AND waiting_since < ${"before"} ${forUpdate}`

const add = sql<OrderRow & { petId: number; accountId: number; userId: number | null; waitingSince: number | null }>`
  INSERT INTO orders (id, pet_id, account_id, user_id, status, json, waiting_since)
  VALUES (${"id"}, ${"petId"}, ${"accountId"}, ${"userId"}, ${"status"}, ${"json"}, ${"waitingSince"})
  ON CONFLICT (id) DO NOTHING`

const put = sql<OrderRow>`
  UPDATE orders SET status = ${"status"}, json = ${"json"},
         waiting_since = CASE WHEN ${"status"} = 'placed' THEN waiting_since END
  WHERE id = ${"id"}`

const remove = sql<{ id: number }>`DELETE FROM orders WHERE id = ${"id"}`

// Takes the newest orders of each status and the newest of those, so that nothing below them is read.
const all = sql<ListRow, ListedRow>`
  SELECT id, json FROM orders
  WHERE id IN (
    SELECT newest.id FROM (${elements("statuses")}) AS wanted JOIN orders AS newest ON newest.id IN (
      SELECT id FROM orders
      WHERE status = wanted.value AND id < ${"before"}
      ORDER BY id DESC LIMIT ${"limit"}
    )
  )
  ORDER BY id DESC LIMIT ${"limit"}`

const ofAccount = sql<ListRow & { accountId: number }, ListedRow>`
  SELECT id, json FROM orders
  WHERE id IN (
    SELECT newest.id FROM (${elements("statuses")}) AS wanted JOIN orders AS newest ON newest.id IN (
      SELECT id FROM orders
      WHERE account_id = ${"accountId"} AND status = wanted.value AND id < ${"before"}
      ORDER BY id DESC LIMIT ${"limit"}
    )
  )
  ORDER BY id DESC LIMIT ${"limit"}`

const ofPet = sql<ListRow & { petId: number }, ListedRow>`
  SELECT id, json FROM orders
  WHERE id IN (
    SELECT newest.id FROM (${elements("statuses")}) AS wanted JOIN orders AS newest ON newest.id IN (
      SELECT id FROM orders
      WHERE pet_id = ${"petId"} AND status = wanted.value AND id < ${"before"}
      ORDER BY id DESC LIMIT ${"limit"}
    )
  )
  ORDER BY id DESC LIMIT ${"limit"}`

const ofPetAndAccount = sql<ListRow & { petId: number; accountId: number }, ListedRow>`
  SELECT id, json FROM orders
  WHERE id IN (
    SELECT newest.id FROM (${elements("statuses")}) AS wanted JOIN orders AS newest ON newest.id IN (
      SELECT id FROM orders
      WHERE pet_id = ${"petId"} AND account_id = ${"accountId"} AND status = wanted.value AND id < ${"before"}
      ORDER BY id DESC LIMIT ${"limit"}
    )
  )
  ORDER BY id DESC LIMIT ${"limit"}`

const nextId = createIdSequence("orders")

type OrderRow = { id: number; status: string; json: string }
type ListRow = { statuses: string; before: number; limit: number }
type ListedRow = { id: number; json: Json<Order> }

export const orderStore = (db: Connection): OrderStore => ({
  nextId: () => nextId(db),
  read: (id) => db.one(read, { id }),
  lock: async (id) => toLockedOrder(await db.one(lock, { id })),
  openFor: async (petId) => (await db.one(openFor, { petId }))?.id,

  async countOpen(accountId, max) {
    await db.one(lockAccount, { accountId })
    return Number((await db.one(countOpen, { accountId, max }))?.count)
  },
  waiting: async (before, limit) => (await db.all(waiting, { before, limit })).map(({ id }) => id),
  lockWaiting: async (id, before) => toLockedOrder(await db.one(lockWaiting, { id, before })),

  async add(order, accountId, userId, placedAt) {
    const waitingSince = order.status === "placed" ? placedAt : null
    const row = { ...toRow(order), petId: order.petId, accountId, userId: userId ?? null, waitingSince }
    return (await db.run(add, row)) > 0
  },
  async put(order) {
    await db.run(put, toRow(order))
  },
  async remove(id) {
    await db.run(remove, { id })
  },

  async list({ accountId, petId, statuses }, { before = idMax + 1, limit }) {
    const wanted = { statuses: JSON.stringify(statuses), before, limit: limit + 1 }
    const rows = await listRows(db, wanted, petId, accountId)
    return pageOf(rows, limit, (row) => row.json)
  },
})

const toLockedOrder = (row: StoredOrder | undefined): LockedOrder | undefined =>
  row && { order: fromJson(row.json), accountId: row.accountId }

const toRow = (order: Order): OrderRow => ({ id: order.id, status: order.status, json: json(order) })

function listRows(db: Connection, wanted: ListRow, petId?: number, accountId?: number): Awaitable<ListedRow[]> {
  if (petId !== undefined && accountId !== undefined) return db.all(ofPetAndAccount, { ...wanted, petId, accountId })
  if (petId !== undefined) return db.all(ofPet, { ...wanted, petId })
  return accountId === undefined ? db.all(all, wanted) : db.all(ofAccount, { ...wanted, accountId })
}
