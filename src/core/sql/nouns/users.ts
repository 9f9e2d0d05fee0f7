import type { StoredUser, UserRecord } from "../../domain/users/model.ts"
import type { UserStore } from "../../domain/users/store.ts"
import { pageOf } from "../../kernel/endpoint/page.ts"
import { fromJson, type Json, json } from "../../kernel/json/json.ts"
import { directionOf, directions, inBothDirections } from "../direction.ts"
import { hashOf, requireIntact } from "../hashes/hash-of.ts"
import { createIdSequence } from "../ids.ts"
import { readOne } from "../rows.ts"
import { forUpdate, fragment, type None, type SqlConnection, sql } from "../statement.ts"

type UserRow = { id: number; name: string; json: string; hash: string; passwordHash: string; accountId: number }
type ListedRow = { id: number; json: Json<UserRecord>; hash: string | null }
type FoundRow = ListedRow & { passwordHash: string; accountId: number }

const columns = fragment<None>`id, json, text_hash AS "hash", password_hash AS "passwordHash", account_id AS "accountId"`

const byName = sql<{ name: string }, FoundRow>`SELECT ${columns} FROM users WHERE name = ${"name"}`

const byId = sql<{ id: number }, FoundRow>`SELECT ${columns} FROM users WHERE id = ${"id"} AND json IS NOT NULL`

// An account is the own of one user. With a condition on erased ones, SQLite would read all users.
const ofAccount = sql<{ accountId: number }, FoundRow | { json: null }>`
  SELECT ${columns} FROM users WHERE account_id = ${"accountId"} LIMIT 1`

const lock = sql<{ name: string }, FoundRow>`SELECT ${columns} FROM users WHERE name = ${"name"} ${forUpdate}`

const add = sql<UserRow>`
  INSERT INTO users (id, name, json, text_hash, password_hash, account_id)
  VALUES (${"id"}, ${"name"}, ${"json"}, ${"hash"}, ${"passwordHash"}, ${"accountId"})
  ON CONFLICT DO NOTHING`

const put = sql<Omit<UserRow, "accountId">>`
  UPDATE users SET name = ${"name"}, json = ${"json"}, text_hash = ${"hash"}, password_hash = ${"passwordHash"}
  WHERE id = ${"id"}`

const erase = sql<{ id: number }>`
  UPDATE users SET name = NULL, json = NULL, text_hash = NULL, password_hash = NULL WHERE id = ${"id"}`

// Applications may keep data under the id of a user who has consented.
const forget = sql<{ id: number }>`DELETE FROM users WHERE id = ${"id"} AND json IS NULL AND has_consented = 0`

const list = inBothDirections(
  ({ beyond, order }) => sql<{ after: number; limit: number }, ListedRow>`
    SELECT id, json, text_hash AS "hash" FROM users WHERE json IS NOT NULL AND id ${beyond} ${"after"} ORDER BY id ${order} LIMIT ${"limit"}`,
)

const { nextId, continueAfter } = createIdSequence("users")

export const userStore = (db: SqlConnection): UserStore => ({
  nextId: () => nextId(db),
  continueIdsAfter: (id) => continueAfter(db, id),
  byName: (username) => readOne(db, byName, { name: username.toLowerCase() }, toStoredUser),
  byId: async (id) => readOne(db, byId, { id }, toStoredUser),
  async ofAccount(accountId) {
    const row = await db.one(ofAccount, { accountId })
    return row && row.json !== null ? toStoredUser(row) : undefined
  },
  lock: async (username) => readOne(db, lock, { name: username.toLowerCase() }, toStoredUser),
  async add(user) {
    const row = { ...toRow(user), accountId: user.accountId }
    if ((await db.run(add, row)) > 0) return true
    await db.run(forget, { id: row.id })
    return (await db.run(add, row)) > 0
  },
  // Readers keep orders with the name of their user.
  put(user) {
    db.noteText?.("orders")
    return db.exec(put, toRow(user))
  },
  erase(id) {
    db.noteText?.("orders")
    return db.exec(erase, { id })
  },
  async list({ sort, after, limit }) {
    const direction = directionOf(sort)
    const rows = await db.all(list[direction], { after: after ?? directions[direction].start, limit: limit + 1 })
    return pageOf(rows, limit, intactJson)
  },
})

function toRow({ user, passwordHash }: StoredUser) {
  const text = json(user)
  return { id: user.id, name: user.username.toLowerCase(), json: text, hash: hashOf(text), passwordHash }
}

function intactJson(row: ListedRow): Json<UserRecord> {
  requireIntact("users", row)
  return row.json
}

/** The user of a row. Throws DamagedRecord when its text does not have its hash. */
export const requireIntactUser = (row: ListedRow): UserRecord => fromJson(intactJson(row))

const toStoredUser = (row: FoundRow): StoredUser => ({
  user: requireIntactUser(row),
  accountId: row.accountId,
  passwordHash: row.passwordHash,
})
