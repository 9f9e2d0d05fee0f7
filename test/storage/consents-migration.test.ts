import assert from "node:assert/strict"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { up } from "../../src/core/sql/migrations/0012-consents.ts"
import { migrations } from "../../src/core/sql/migrations.ts"
import { sqliteDialect } from "../../src/core/sqlite/dialect.ts"
import { openSqlite } from "../../src/core/sqlite/open.ts"
import { temporaryDirectory } from "../harness/directory.ts"

const dayMs = 24 * 60 * 60 * 1000
const now = Date.UTC(2026, 0, 1)

/** A database before this migration, with records of each kind that live for so many days from `now`. */
function before(file: string, days: Record<string, number>): void {
  const earlier = migrations.slice(0, migrations.indexOf(up))
  const db = new DatabaseSync(file)
  for (const statement of earlier.flatMap((each) => each(sqliteDialect))) db.exec(statement)
  db.exec(`PRAGMA user_version = ${earlier.length}`)
  db.exec("INSERT INTO accounts (id, name, plan) VALUES (1, 'a', 'free')")
  db.exec(`INSERT INTO oauth_clients (id, account_id, client_id, name, type, redirect_uris, scopes, created_at)
           VALUES (1, 1, 'c', 'Walker', 'public', '[]', 'read:pets', '2026')`)
  const add = db.prepare(`INSERT INTO oauth_records (kind, hash, grant_id, client_id, user_id, scope, json, expires_at)
                          VALUES (?, ?, ?, 'c', 7, '', '{}', ?)`)
  for (const [kind, n] of Object.entries(days))
    for (const name of ["a", "b"]) add.run(kind, `${kind} ${name}`, name, now + n * dayMs)
  db.close()
}

test("lifetimes stored sixty times too long are corrected, and every grant becomes a consent", async () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "petstore.db")
  before(file, { RefreshToken: 1800, Grant: 5400, Session: 60, AccessToken: 1 / 24 })
  const store = openSqlite(file)
  try {
    const ends = async (kind: string) => ((await store.oauthRecords.read(kind, `${kind} a`))?.expiresAt ?? 0) - now
    assert.deepEqual(await Promise.all(["RefreshToken", "Grant", "Session", "AccessToken"].map(ends)), [
      30 * dayMs,
      90 * dayMs,
      dayMs,
      dayMs / 24,
    ])
    const listed = async () =>
      (await store.consents.list(7, now, { limit: 10, before: undefined })).items.map(({ id, clientName }) => [
        id,
        clientName,
      ])
    assert.deepEqual(await listed(), [
      [2, "Walker"],
      [1, "Walker"],
    ])
    const grant = { kind: "Grant", hash: "Grant c", grantId: "c", clientId: "c", userId: 7, scope: "", json: "{}" }
    await store.transaction((tx) =>
      tx.oauthRecords.put({ ...grant, uid: undefined, expiresAt: now + dayMs, consumedAt: undefined }),
    )
    assert.equal((await listed())[0]?.[0], 3)
  } finally {
    await store.close()
  }
})
