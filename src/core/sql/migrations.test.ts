import assert from "node:assert/strict"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { CannotStart } from "../kernel/cannot-start.ts"
import { sqliteDialect } from "../sqlite/dialect.ts"
import { addMigrationFunctions } from "../sqlite/schema.ts"
import { migrations, migrationsFrom, requireKnown, requireNewest, unfinishedVersion } from "./migrations.ts"

const newest = migrations.length

test("a program works on every version up to its own, and on no newer or incomplete database", () => {
  for (const version of [0, 1, newest]) requireKnown(version)
  assert.throws(
    () => requireKnown(newest + 1),
    new CannotStart(
      `The database has schema version ${newest + 1}, this program knows ${newest}. It was written by a newer version of ` +
        "Petstore: start that version, or restore a backup made before the upgrade.",
    ),
  )
  const incomplete = new CannotStart(
    "The database is not whole: petstore restore or petstore copy has not finished it. Run that command again.",
  )
  assert.throws(() => requireKnown(unfinishedVersion), incomplete)
  assert.throws(() => migrationsFrom(unfinishedVersion, sqliteDialect), incomplete)
})

test("a database gets the changes that it has not had, and the newest one gets none", () => {
  const all = migrationsFrom(0, sqliteDialect)
  assert.deepEqual(migrationsFrom(newest, sqliteDialect), [])
  const last = migrationsFrom(newest - 1, sqliteDialect)
  assert.ok(last.length > 0)
  assert.deepEqual(all.slice(-last.length), last)
})

test("only databases of this version are copied", () => {
  requireNewest(newest, "a.db")
  for (const version of [newest - 1, newest + 1])
    assert.throws(
      () => requireNewest(version, "a.db"),
      new CannotStart(
        `a.db has schema version ${version}, this program ${newest}: bring it up to date with petstore migrate first`,
      ),
    )
})

test("events of an earlier version that were not published get the next positions, in order", () => {
  using db = new DatabaseSync(":memory:")
  addMigrationFunctions(db)
  const upTo = (version: number) => migrations.slice(0, version).flatMap((up) => up(sqliteDialect))
  const before = 22
  for (const statement of upTo(before - 1)) db.exec(statement)
  db.exec("UPDATE counters SET last = 2 WHERE name = 'events'")
  for (const position of ["1", "2", "NULL", "NULL"])
    db.exec(`INSERT INTO events (kind, json, created_at, position) VALUES ('pet.created', '{}', 1, ${position})`)
  for (const statement of upTo(newest).slice(upTo(before - 1).length)) db.exec(statement)
  const positions = db.prepare("SELECT position FROM events ORDER BY id").all()
  assert.deepEqual(
    positions.map(({ position }) => position),
    [1, 2, 3, 4],
  )
  assert.equal(db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'events_unpublished'").get(), undefined)
})
