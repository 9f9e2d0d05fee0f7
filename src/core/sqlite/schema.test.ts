import assert from "node:assert/strict"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { migrations } from "../sql/migrations.ts"
import { addMigrationFunctions, namesOfTables, readSqliteVersion, updateSchema } from "./schema.ts"

const newest = migrations.length

test("a database is brought to the newest version in one transaction, once", () => {
  using db = new DatabaseSync(":memory:")
  updateSchema(db, 0)
  assert.deepEqual([readSqliteVersion(db), db.isTransaction], [newest, false])
  const names = namesOfTables(db)
  assert.deepEqual(names, names.toSorted())
  assert.ok(names.includes("pets") && !names.some((name) => name.startsWith("sqlite")))
  updateSchema(db, newest)
  assert.equal(readSqliteVersion(db), newest)
})

test("a database of the newest version is not written to", () => {
  using db = new DatabaseSync(":memory:")
  updateSchema(db, 0)
  db.exec("PRAGMA query_only = ON")
  updateSchema(db, newest)
  assert.throws(() => updateSchema(db, newest - 1), /readonly/)
})

test("a migration that fails changes nothing", () => {
  using db = new DatabaseSync(":memory:")
  updateSchema(db, 0)
  db.exec("PRAGMA user_version = 7")
  const before = db.prepare("SELECT group_concat(sql, ';') AS text FROM sqlite_schema").get()?.text
  assert.throws(() => updateSchema(db, 1), /already exists|duplicate column/)
  assert.deepEqual([readSqliteVersion(db), db.isTransaction], [7, false])
  assert.equal(db.prepare("SELECT group_concat(sql, ';') AS text FROM sqlite_schema").get()?.text, before)
})

test("migrations sort names as the service does", () => {
  using db = new DatabaseSync(":memory:")
  addMigrationFunctions(db)
  assert.deepEqual(
    { ...db.prepare("SELECT name_key('REX') AS name, name_key(NULL) AS none").get() },
    { name: "rex", none: "" },
  )
})
