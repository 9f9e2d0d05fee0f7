import assert from "node:assert/strict"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { OutcomeUnknown, StoreUnavailable } from "../domain/ports/store.ts"
import { hot, type Row, type Statement, sql, statements } from "../sql/statement.ts"
import { sqliteConnection, toSqliteCommitError, toSqliteError } from "./connection.ts"
import { SnapshotMemory } from "./snapshot-memory.ts"

const made: Statement<Row, unknown>[] = []
/** A statement of this test only. */
function own<S>(statement: S): S {
  made.push(...statements.splice(-1))
  return statement
}

const add = own(sql<{ name: string }>`INSERT INTO names (name) VALUES (${"name"}) ON CONFLICT DO NOTHING`)
const read = own(hot(sql<{ id: number }, { name: string }>`SELECT name FROM names WHERE id = ${"id"}`))
const either = own(
  hot(sql<{ id: number; name: string | undefined }, { name: string }>`
    SELECT name FROM names WHERE id = ${"id"} OR name = ${"name"} ORDER BY id`),
)

function open(memory?: SnapshotMemory) {
  const db = new DatabaseSync(":memory:")
  db.exec("CREATE TABLE names (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE)")
  const written: number[] = []
  let runs = 0
  const connection = sqliteConnection(db, {
    beforeEach: () => void runs++,
    noteWritten: (rows) => void written.push(rows),
    ...(memory && { memory }),
  })
  const take = () => {
    const taken = { written: written.splice(0), runs }
    runs = 0
    return taken
  }
  return { db, connection, take, [Symbol.dispose]: () => db.close() }
}

test("a row of a hot statement is read once for its values, until the memory is cleared", async () => {
  const memory = new SnapshotMemory()
  using opened = open(memory)
  const { connection, take, db } = opened
  for (const name of ["a", "b"]) await connection.run(add, { name })
  take()
  const names = async () => [
    (await connection.one(read, { id: 1 }))?.name,
    (await connection.one(either, { id: 1, name: undefined }))?.name,
    (await connection.one(either, { id: 2, name: undefined }))?.name,
    (await connection.one(read, { id: 9 }))?.name,
  ]
  for (let n = 0; n < 2; n++) assert.deepEqual(await names(), ["a", "a", "b", undefined])
  take()
  db.exec("UPDATE names SET name = name || '!'")
  assert.deepEqual(await names(), ["a", "a", "b", undefined])
  assert.equal(take().runs, 1, "what is not there is looked up again")
  memory.clear()
  assert.deepEqual(await names(), ["a!", "a!", "b!", undefined])
  assert.equal(take().runs, 4)
})

test("a failure of the machine makes the store unavailable, and any other error is a bug", async () => {
  const failure = (errcode?: number) => Object.assign(new Error("no"), errcode === undefined ? {} : { errcode })
  for (const [code, reason] of [
    [5, "the database is busy"],
    [7, "out of memory"],
    [8, "the database is read-only"],
    [10, "the disk reported an error"],
    [11, "the database file is damaged"],
    [13, "the disk is full"],
    [14, "the database file cannot be opened"],
    [26, "the database file is not a database"],
  ] as const)
    for (const errcode of [code, code + 3 * 256]) {
      const error = failure(errcode)
      const known = toSqliteError(error)
      assert.ok(known instanceof StoreUnavailable)
      assert.deepEqual([known.message, known.cause], [reason, error])
      assert.equal(toSqliteCommitError(error) instanceof OutcomeUnknown, code === 10)
      assert.equal((toSqliteCommitError(error) as Error).message, reason)
    }
  for (const error of [failure(1), failure(19), failure()]) {
    assert.equal(toSqliteError(error), error)
    assert.equal(toSqliteCommitError(error), error)
  }
  using opened = open()
  opened.db.exec("PRAGMA query_only = 1")
  assert.throws(() => opened.connection.run(add, { name: "a" }), new StoreUnavailable("the database is read-only"))
})
