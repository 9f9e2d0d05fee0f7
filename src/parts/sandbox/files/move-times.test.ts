import assert from "node:assert/strict"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { temporaryDirectory } from "../../../../test/harness/directory.ts"
import { quote } from "../../../core/sql/tables.ts"
import { createDatabase, newestTables } from "../../../core/sqlite/tables.ts"
import { moveTimesTo } from "./move-times.ts"

test("all times move as far as that of the newest key, however many rows there are, and what has none gets none", async () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "store.db")
  createDatabase(file)[Symbol.dispose]()
  using db = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  const keyAt = db.prepare("INSERT INTO keys (name, hash, account_id, scopes, created_at) VALUES ('', ?, 1, '', ?)")
  for (const at of [500, 1000]) keyAt.run(String(at), at)
  const pet = db.prepare(
    "INSERT INTO pets (id, status, json, etag, name_key, created_at, updated_at) VALUES (?, 'sold', '{}', '', '', ?, ?)",
  )
  const ids = Array.from({ length: 2500 }, (_, n) => 2 ** 40 + n)
  db.exec("BEGIN")
  for (const id of ids) pet.run(id, id, id % 2 === 0 ? null : id + 1)
  db.exec("COMMIT")
  db.exec(`INSERT INTO oauth_clients (account_id, client_id, name, type, redirect_uris, scopes, created_at)
    VALUES (1, '', '', 'public', '', '', '2030-01-31T12:00:00.000Z')`)
  await moveTimesTo(file, 1_250)
  assert.deepEqual(
    db
      .prepare("SELECT created_at AS at FROM keys ORDER BY 1")
      .all()
      .map(({ at }) => at),
    [750, 1250],
  )
  assert.deepEqual(
    db
      .prepare("SELECT created_at, updated_at FROM pets ORDER BY id")
      .all()
      .map(({ created_at, updated_at }) => [created_at, updated_at]),
    ids.map((id) => [id + 250, id % 2 === 0 ? null : id + 251]),
  )
  assert.equal(db.prepare("SELECT created_at AS at FROM oauth_clients").get()?.at, "2030-01-31T12:00:00.250Z")
})

/** Numbers that stay as they are, besides ids, and why. */
const unmoved: Readonly<Record<string, readonly string[]>> = {
  "a time in a chain of hashes, of which the data of a first start have none": ["audit.at"],
  "a time of what a first start has not done": ["delivery_attempts.at", "limit_cells.minute"],
  "the id of an account": ["audit.account"],
  "the newest id or position": ["audit_head.last", "counters.last", "webhooks_to_wake.first_position"],
  "a position": ["events.position"],
  "a number of things": [
    ...["deliveries.step", "deliveries.attempts", "deliveries.claims", "limit_cells.count", "inventory.pets"],
    ...["image_bytes.bytes", "images.bytes"],
  ],
  "yes or no": [
    ...["deliveries.is_test", "deliveries.blocked", "orders.reserves_pet", "users.has_consented", "webhooks.ordered"],
  ],
  "a duration": ["delivery_attempts.duration_ms", "webhooks.average_ms"],
  "a status of HTTP": ["delivery_attempts.status", "idempotency.status"],
  "a part of a sum": ["inventory.slot"],
}

test("a column with a number has the name of a time and moves, or a reason why it does not", async () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "store.db")
  createDatabase(file)[Symbol.dispose]()
  using db = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  const tables = newestTables()
  for (const { name, columns } of tables) {
    const values = columns.map(({ isInteger }) => (isInteger ? 1000 : "2030-01-31T12:00:00.000Z"))
    db.exec(`DELETE FROM ${quote(name)}`)
    db.prepare(`INSERT INTO ${quote(name)} VALUES (${columns.map(() => "?").join()})`).run(...values)
  }
  await moveTimesTo(file, 1_250)
  const all = tables.flatMap(({ name: table, columns }) => {
    const row = db.prepare(`SELECT * FROM ${quote(table)}`).get() ?? {}
    return columns.map(({ name, isInteger }) => ({ column: `${table}.${name}`, isInteger, value: row[name] }))
  })
  const isId = (column: string) => /[._]id$/.test(column)
  const numbers = all.filter(({ isInteger, column }) => isInteger && !isId(column))
  assert.deepEqual(
    numbers.flatMap(({ column, value }) => (value === 1250 ? [] : [column])).sort(),
    Object.values(unmoved).flat().sort(),
  )
  assert.ok(numbers.some(({ column, value }) => column === "keys.ends_by" && value === 1250))
  assert.deepEqual(
    all.flatMap(({ column, value }) => (value === "2030-01-31T12:00:00.250Z" ? [column] : [])),
    ["oauth_clients.created_at"],
  )
})
