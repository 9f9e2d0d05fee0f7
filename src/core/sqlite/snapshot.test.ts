import assert from "node:assert/strict"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { cannotListOpenFiles, countAllOpen } from "../../../test/harness/open-files.ts"
import { StoreUnavailable } from "../domain/ports/store.ts"
import { hot, sql, statements } from "../sql/statement.ts"
import { Snapshot } from "./snapshot.ts"

const read = hot(sql<{ id: number }, { name: string }>`SELECT name FROM names WHERE id = ${"id"}`)
const ofBoth = hot(sql<{ id: number; name: string }, { n: number }>`
  SELECT count(*) AS n FROM names WHERE id = ${"id"} AND name = ${"name"}`)
const write = sql<{ id: number }>`DELETE FROM names WHERE id = ${"id"}`
const count = sql<{ id: number }, { n: number }>`SELECT count(*) AS n FROM names WHERE id >= ${"id"}`
// They are of this test only.
statements.splice(-4)

/** A database with one name, which a writer changes while others read. */
function openNames(directory: string) {
  const file = join(directory, "names.db")
  const writer = new DatabaseSync(file)
  writer.exec("PRAGMA journal_mode = WAL; CREATE TABLE names (id INTEGER PRIMARY KEY, name TEXT)")
  writer.exec("INSERT INTO names VALUES (1, 'one')")
  const snapshot = new Snapshot(file, 1024)
  const connection = snapshot.connect()
  return {
    writer,
    snapshot,
    async names() {
      const first = await connection.one(read, { id: 1 })
      return `${first?.name} of ${(await connection.one(count, { id: 0 }))?.n}`
    },
    [Symbol.dispose]() {
      snapshot.close()
      writer.close()
    },
  }
}

test("reads see one state until it is released, also those that are remembered", async () => {
  using directory = temporaryDirectory()
  using opened = openNames(directory.path)
  const { writer, snapshot, names } = opened
  for (let n = 0; n < 3; n++) assert.equal(await names(), "one of 1")
  writer.exec("UPDATE names SET name = 'two'; INSERT INTO names VALUES (2, 'more')")
  for (let n = 0; n < 3; n++) assert.equal(await names(), "one of 1")
  snapshot.release()
  for (let n = 0; n < 3; n++) assert.equal(await names(), "two of 2")
  snapshot.release()
  snapshot.release()
  assert.equal(await names(), "two of 2")
})

test("reads that are remembered differ in each of their values", async () => {
  using directory = temporaryDirectory()
  using writer = new DatabaseSync(join(directory.path, "names.db"))
  writer.exec("PRAGMA journal_mode = WAL; CREATE TABLE names (id INTEGER PRIMARY KEY, name TEXT)")
  writer.exec("INSERT INTO names VALUES (1, 'one')")
  const snapshot = new Snapshot(join(directory.path, "names.db"), 1024)
  const connection = snapshot.connect()
  for (let n = 0; n < 3; n++)
    for (const [id, name, found] of [
      [1, "one", 1],
      [1, "two", 0],
      [2, "one", 0],
    ] as const)
      assert.equal((await connection.one(ofBoth, { id, name }))?.n, found)
  snapshot.close()
})

test("a state is fixed before its first read", async () => {
  using directory = temporaryDirectory()
  using opened = openNames(directory.path)
  const { writer, snapshot, names } = opened
  snapshot.pin()
  writer.exec("UPDATE names SET name = 'two'")
  assert.equal(await names(), "one of 1")
  snapshot.pin()
  assert.equal(await names(), "one of 1")
  snapshot.release()
  assert.equal(await names(), "two of 1")
})

test("nothing is written through a snapshot, and its file is closed with it", {
  skip: cannotListOpenFiles,
}, async () => {
  using directory = temporaryDirectory()
  const before = countAllOpen()
  const writer = new DatabaseSync(join(directory.path, "names.db"))
  writer.exec("PRAGMA journal_mode = WAL; CREATE TABLE names (id INTEGER PRIMARY KEY, name TEXT)")
  const snapshot = new Snapshot(join(directory.path, "names.db"), 1024)
  const connection = snapshot.connect()
  assert.throws(() => connection.run(write, { id: 1 }), new StoreUnavailable("the database is read-only"))
  snapshot.release()
  snapshot.close()
  writer.close()
  assert.equal(countAllOpen(), before)
})
