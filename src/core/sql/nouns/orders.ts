import type { Order } from "../../domain/orders/contract.ts"
import type { LockedOrder, OrderOrigin, OrderStore, StoredOrder } from "../../domain/orders/store.ts"
import type { UserRecord } from "../../domain/users/model.ts"
import { totalOf } from "../../kernel/endpoint/total.ts"
import { andThen } from "../../kernel/flow/awaitable.ts"
import { fromJson, type Json, json } from "../../kernel/json/json.ts"
import { directionOf, directions, inBothDirections } from "../direction.ts"
import { hashOf, requireIntact } from "../hashes/hash-of.ts"
import { refuseDamaged } from "../hashes/hashes.ts"
import { createIdSequence } from "../ids.ts"
import { type Find, readTextPage } from "../pages/page.ts"
import { findTexts, splitIds } from "../pages/texts.ts"
import { readOne, theRow } from "../rows.ts"
import {
  elements,
  type Fragment,
  forUpdate,
  fragment,
  hot,
  integers,
  type None,
  type SqlConnection,
  sql,
} from "../statement.ts"
import { countOfAccount } from "./accounts.ts"

const read = sql<{ id: number }, StoredRow>`
  SELECT id, json, text_hash AS "hash", account_id AS "accountId" FROM orders WHERE id = ${"id"}`

const locked = fragment<None>`id, json, text_hash AS "hash", account_id AS "accountId", reserves_pet AS "reservesPet"`

const lock = sql<{ id: number }, LockedRow>`SELECT ${locked} FROM orders WHERE id = ${"id"} ${forUpdate}`

const origins = sql<{ ids: string }, OriginRow & { id: number }>`
  SELECT orders.id, orders.placed_at AS "placedAt", orders.account_id AS "accountId", accounts.name AS "accountName",
         users.json AS "user"
  FROM orders JOIN accounts ON accounts.id = orders.account_id LEFT JOIN users ON users.id = orders.user_id
  WHERE orders.id IN (${integers("ids")})`

const openFor = sql<{ petId: number }, { id: number }>`
  SELECT id FROM orders WHERE pet_id = ${"petId"} AND reserves_pet = 1 AND status IN ('placed', 'approved')`

const countOpen = sql<{ accountId: number; max: number }, { count: number }>`
  SELECT count(*) AS "count" FROM (
    SELECT 1 FROM orders WHERE account_id = ${"accountId"} AND status IN ('placed', 'approved') LIMIT ${"max"}
  ) AS open`

const waiting = sql<{ before: number; limit: number }, { id: number; since: number }>`
  SELECT id, waiting_since AS "since" FROM orders WHERE waiting_since < ${"before"} ORDER BY waiting_since, id LIMIT ${"limit"}`

const lockWaiting = sql<{ id: number; before: number }, LockedRow>`
  SELECT ${locked} FROM orders
  WHERE id = ${"id"} AND waiting_since < ${"before"} ${forUpdate}`

const add = sql<
  OrderRow & {
    petId: number
    accountId: number
    userId: number | undefined
    placedAt: number
    waitingSince: number | undefined
    reservesPet: number
  }
>`
  INSERT INTO orders (id, pet_id, account_id, user_id, status, json, text_hash, placed_at, waiting_since, reserves_pet)
  VALUES (
    ${"id"}, ${"petId"}, ${"accountId"}, ${"userId"}, ${"status"}, ${"json"}, ${"hash"}, ${"placedAt"}, ${"waitingSince"},
    ${"reservesPet"}
  )
  ON CONFLICT (id) DO NOTHING`

const put = sql<OrderRow>`
  UPDATE orders SET status = ${"status"}, json = ${"json"}, text_hash = ${"hash"},
         waiting_since = CASE WHEN ${"status"} = 'placed' THEN waiting_since END
  WHERE id = ${"id"}`

const remove = sql<{ id: number }>`DELETE FROM orders WHERE id = ${"id"}`

type ListRow = {
  statuses: string
  after: number
  limit: number
  petId: number | undefined
  accountId: number | undefined
}

// Reads the first orders of each status and selects the first of those, so that it reads no row after them.
const listOf = (condition: Fragment<ListRow>) =>
  inBothDirections(({ beyond, order }) =>
    hot(sql<ListRow, { ids: string | null }>`
  SELECT string_agg(CAST(id AS TEXT), ',') AS "ids" FROM (
    SELECT id FROM orders
    WHERE id IN (
      SELECT first.id FROM (${elements("statuses")}) AS wanted JOIN orders AS first ON first.id IN (
        SELECT id FROM orders
        WHERE ${condition} status = wanted.value AND id ${beyond} ${"after"}
        ORDER BY id ${order} LIMIT ${"limit"}
      )
    )
    ORDER BY id ${order} LIMIT ${"limit"}
  ) AS walked`),
  )

const all = listOf(fragment``)
const ofAccount = listOf(fragment`account_id = ${"accountId"} AND`)
const ofPet = listOf(fragment`pet_id = ${"petId"} AND`)
const ofPetAndAccount = listOf(fragment`pet_id = ${"petId"} AND account_id = ${"accountId"} AND`)

type CountRow = {
  statuses: string
  max: number
  petId: number | undefined
  accountId: number | undefined
}

// A range in the order of the index, because PostgreSQL would scan the table for a status that it takes for a common one.
const countOf = (condition: Fragment<CountRow>) => sql<CountRow, { count: number }>`
  SELECT coalesce(sum((
    SELECT count(*) FROM (
      SELECT 1 FROM orders WHERE ${condition} status <= wanted.value AND (status, id) > (wanted.value, 0)
      ORDER BY status, id LIMIT ${"max"}
    ) AS counted
  )), 0) AS "count"
  FROM (${elements("statuses")}) AS wanted`

const countAll = countOf(fragment``)
const countOfOwner = countOf(fragment`account_id = ${"accountId"} AND`)
const countOfPet = countOf(fragment`pet_id = ${"petId"} AND`)
const countOfPetAndOwner = countOf(fragment`pet_id = ${"petId"} AND account_id = ${"accountId"} AND`)

const { nextId, continueAfter } = createIdSequence("orders")

type OriginRow = { placedAt: number | null; accountId: number; accountName: string; user: Json<UserRecord> | null }

type StoredRow = StoredOrder & { id: number; hash: string | null }
type LockedRow = StoredRow & { reservesPet: number }

type OrderRow = { id: number; status: string; json: string; hash: string }

export const orderStore = (db: SqlConnection): OrderStore => ({
  nextId: () => nextId(db),
  continueIdsAfter: (id) => continueAfter(db, id),
  read: (id) => readOne(db, read, { id }, toStoredOrder),
  lock: async (id) => readOne(db, lock, { id }, toLockedOrder),
  origins: async (ids) =>
    new Map((await db.all(origins, { ids: JSON.stringify(ids) })).map((row) => [row.id, toOrigin(row)])),
  openFor: async (petId) => (await db.one(openFor, { petId }))?.id,
  countOpen: (accountId, max) => countOfAccount(db, countOpen, { accountId, max }),
  waiting: async (before, limit) => db.all(waiting, { before, limit }),
  lockWaiting: async (id, before) => readOne(db, lockWaiting, { id, before }, toLockedOrder),

  async add(order, accountId, userId, placedAt, reservesPet = true) {
    const waitingSince = order.status === "placed" ? placedAt : undefined
    const origin = { accountId, userId, placedAt, waitingSince }
    return (await db.run(add, { ...toRow(order), ...origin, petId: order.petId, reservesPet: Number(reservesPet) })) > 0
  },
  put(order) {
    db.noteText?.("orders", order.id)
    return db.exec(put, toRow(order))
  },
  remove(id) {
    db.noteText?.("orders", id)
    return db.exec(remove, { id })
  },

  list({ accountId, petId, statuses }, { sort, after, limit }) {
    const direction = directionOf(sort)
    const ofPetOrNot = petId === undefined ? { any: all, own: ofAccount } : { any: ofPet, own: ofPetAndAccount }
    const list = accountId === undefined ? ofPetOrNot.any : ofPetOrNot.own
    const wanted = { statuses: JSON.stringify(statuses), petId, accountId }
    const find: Find<number> = (after, limit, bytesMax) =>
      // One more id shows whether the list continues.
      andThen(undefined, db.one(list[direction], { ...wanted, after, limit: limit + 1 }), (_, row) =>
        findTexts(db, "orders", splitIds(row?.ids), direction, { limit, bytesMax }),
      )
    return refuseDamaged(db, "orders", readTextPage(find, after ?? directions[direction].start, limit))
  },
  async total({ accountId, petId, statuses }, max) {
    const ofPetOrNot =
      petId === undefined ? { any: countAll, own: countOfOwner } : { any: countOfPet, own: countOfPetAndOwner }
    const count = accountId === undefined ? ofPetOrNot.any : ofPetOrNot.own
    const wanted = { statuses: JSON.stringify([...new Set(statuses)]), max: max + 1, petId, accountId }
    return totalOf((await theRow(db, count, wanted)).count, max)
  },
})

function toStoredOrder(row: StoredRow): StoredOrder {
  requireIntact("orders", row)
  return { json: row.json, accountId: row.accountId }
}

function toLockedOrder(row: LockedRow): LockedOrder {
  const { json, accountId } = toStoredOrder(row)
  return { order: fromJson(json), accountId, reservesPet: row.reservesPet === 1 }
}

const toOrigin = ({ placedAt, accountId, accountName, user }: OriginRow): OrderOrigin => ({
  placedAt: placedAt ?? undefined,
  accountId,
  accountName,
  username: user === null ? undefined : fromJson(user).username,
})

function toRow(order: Order): OrderRow {
  const text = json(order)
  return { id: order.id, status: order.status, json: text, hash: hashOf(text) }
}
