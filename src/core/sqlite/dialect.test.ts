import assert from "node:assert/strict"
import { constants, DatabaseSync, type StatementSync } from "node:sqlite"
import { test } from "node:test"
import { statements } from "../sql/statement.ts"
import "../sql/store.ts"
import { sqliteDialect } from "./dialect.ts"
import { applyMigrations } from "./schema.ts"

test("no statement is planned again when values are bound to it", () => {
  using db = new DatabaseSync(":memory:")
  applyMigrations(db)
  let planned = 0
  db.setAuthorizer(() => {
    planned++
    return constants.SQLITE_OK
  })
  const runs = (statement: StatementSync, values: number): number => {
    planned = 0
    try {
      statement.all(...Array<number>(values).fill(1))
    } catch (error) {
      // Most rows of ones are refused, but only by a statement that runs.
      assert.match((error as Error).message, /constraint|foreign key|malformed JSON|datatype mismatch/i)
    }
    return planned
  }
  const inSqlite = statements.flatMap(({ text, names }) => {
    try {
      return [{ text: text(sqliteDialect), values: names.length, prepared: db.prepare(text(sqliteDialect)) }]
    } catch {
      // Of another database.
      return []
    }
  })
  assert.ok(inSqlite.length > 150, `${inSqlite.length}`)
  const bare = db.prepare("SELECT id FROM pets LIMIT ?")
  assert.ok(runs(bare, 1) > 0 && runs(bare, 1) > 0, "a bare placeholder would be found")
  db.exec("BEGIN")
  const again = inSqlite.filter(({ prepared, values }) => {
    runs(prepared, values)
    return runs(prepared, values) > 0
  })
  db.exec("ROLLBACK")
  assert.deepEqual(
    again.map(({ text }) => text),
    [],
  )
})
