import assert from "node:assert/strict"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { temporaryDirectory } from "../../../../test/harness/directory.ts"
import { createDatabase } from "../../../core/sqlite/tables.ts"
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
