import assert from "node:assert/strict"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { giveBackPages } from "./vacuum.ts"

/** A database with so many free pages; each batch runs in a transaction that is counted. */
function databaseWith(free: number, directory: string, mode = "INCREMENTAL") {
  const db = new DatabaseSync(join(directory, `${free} ${mode}.db`))
  db.exec(`PRAGMA page_size = 512; PRAGMA auto_vacuum = ${mode}; PRAGMA synchronous = OFF; CREATE TABLE t (x)`)
  const freePages = () => Number(db.prepare("PRAGMA freelist_count").get()?.freelist_count)
  db.exec(`INSERT INTO t VALUES (zeroblob(${508 * free})); DELETE FROM t`)
  // A blob needs a few pages less or more than it was estimated.
  const exact = freePages()
  const batches: number[] = []
  const transaction = async <T>(work: () => Promise<T>): Promise<T> => {
    const before = freePages()
    const result = await work()
    batches.push(before - freePages())
    return result
  }
  return {
    exact,
    batches,
    freePages,
    giveBack: () => giveBackPages(db, transaction),
    [Symbol.dispose]: () => db.close(),
  }
}

test("free pages beyond a thousand are returned, a hundred in each transaction", async () => {
  using directory = temporaryDirectory()
  using database = databaseWith(1350, directory.path)
  const { exact, batches, freePages, giveBack } = database
  assert.equal(await giveBack(), exact - 1000)
  assert.equal(freePages(), 1000)
  assert.deepEqual(batches, [100, 100, 100, exact - 1300])
  assert.equal(await giveBack(), 0)
  assert.equal(batches.length, 4, "no further transaction")
})

test("two hundred transactions are made at most", async () => {
  using directory = temporaryDirectory()
  using database = databaseWith(21_200, directory.path)
  assert.equal(await database.giveBack(), 20_000)
  assert.equal(database.batches.length, 200)
})

test("a database that cannot shrink is left alone after one attempt", async () => {
  using directory = temporaryDirectory()
  using database = databaseWith(1500, directory.path, "NONE")
  assert.equal(await database.giveBack(), 0)
  assert.deepEqual(database.batches, [0])
})
