import assert from "node:assert/strict"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { StoreUnavailable } from "../domain/ports/store.ts"
import { Problem } from "../kernel/problem.ts"
import { toSqliteError } from "./connection.ts"
import { watchWrites } from "./watch-writes.ts"

function fixture(isFull = () => false) {
  let probes = 0
  const watch = watchWrites(isFull, async () => {
    probes++
    throw new StoreUnavailable("still")
  })
  return { watch, probes: () => probes }
}

/** The error of SQLite for a database that cannot grow. */
function fullError(): unknown {
  using db = new DatabaseSync(":memory:")
  db.exec("CREATE TABLE t (x); PRAGMA max_page_count = 2")
  try {
    db.exec("INSERT INTO t VALUES (zeroblob(100000))")
  } catch (error) {
    return error
  }
  return assert.fail("it grew")
}

test("neither a rule, nor a bug, nor a temporary failure is reported as a failure of writes, or ends one", (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] })
  const { watch, probes } = fixture()
  const busy = toSqliteError(Object.assign(new Error("database is locked"), { errcode: 5 }))
  const passing = [new Problem("pet-exists", "no"), new TypeError("bug"), busy, new StoreUnavailable("too many")]
  for (const error of passing) watch.failed(error)
  t.mock.timers.tick(10_000)
  assert.deepEqual([watch.refusal(), probes()], [undefined, 0])
  watch.failed(fullError())
  for (const error of passing) watch.failed(error)
  assert.equal(watch.refusal(), "the disk is full")
  watch.close()
  t.mock.timers.tick(10_000)
  assert.equal(probes(), 0, "a closed one retries nothing")
})

test("a database that cannot grow is reported as a full disk, even while deleting succeeds", (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] })
  let isFull = true
  const { watch, probes } = fixture(() => isFull)
  watch.succeeded()
  assert.equal(watch.refusal(), "the disk is full")
  t.mock.timers.tick(5_000)
  assert.equal(probes(), 1)
  isFull = false
  watch.succeeded()
  assert.equal(watch.refusal(), undefined)
})
