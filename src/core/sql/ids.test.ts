import assert from "node:assert/strict"
import crypto from "node:crypto"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { applyToImports } from "../../../test/harness/builtins.ts"
import { sqliteConnection } from "../sqlite/connection.ts"
import { createIdSequence } from "./ids.ts"
import { statements } from "./statement.ts"

const { nextId, nextIds } = createIdSequence("things")
// They are of this test only.
statements.splice(-4)

/** A table whose sequence has given `last`, with rows of these ids. */
function tableWith(last: number, ...ids: number[]) {
  const db = new DatabaseSync(":memory:")
  db.exec("CREATE TABLE things (id INTEGER PRIMARY KEY); CREATE TABLE counters (name TEXT, last INTEGER)")
  db.exec(`INSERT INTO counters VALUES ('things', ${last})`)
  const add = db.prepare("INSERT INTO things (id) VALUES (?)")
  for (const id of ids) add.run(id)
  return { connection: sqliteConnection(db, {}), add: (id: number) => add.run(id), [Symbol.dispose]: () => db.close() }
}

const run = (first: number, count: number) => Array.from({ length: count }, (_, n) => first + n)

test("ids follow each other, and the next ones begin where the last ended", async () => {
  using table = tableWith(0)
  assert.deepEqual(await nextIds(table.connection, 3), [1, 2, 3])
  assert.deepEqual(await nextIds(table.connection, 1), [4])
  table.add(4)
  assert.deepEqual(await nextIds(table.connection, 100), run(5, 100))
  assert.equal(await nextId(table.connection), 105)
})

test("many ids at once skip those that are taken, and are none of a run in which one is", async () => {
  using table = tableWith(10, 13, 500)
  assert.deepEqual(await nextIds(table.connection, 4), [15, 16, 17, 18])
  assert.deepEqual(await nextIds(table.connection, 2), [19, 20])
  using full = tableWith(10, 14)
  assert.deepEqual(await nextIds(full.connection, 4), [15, 16, 17, 18])
})

test("up to 200 taken ids are skipped one by one", async () => {
  for (const taken of [1, 100, 199, 200]) {
    using table = tableWith(10, ...run(11, taken), 11 + taken + 1)
    assert.equal(await nextId(table.connection), 11 + taken, `${taken} taken`)
    table.add(11 + taken)
    assert.equal(await nextId(table.connection), 11 + taken + 2)
  }
})

test("after 200 taken ids one is drawn at random, ever farther while those are taken too", async () => {
  const drawn = new Set<number>()
  for (let n = 0; n < 10; n++) {
    using table = tableWith(10, ...run(11, 201))
    const id = await nextId(table.connection)
    assert.ok(id > 211 && id < 11 + 800, `${id}`)
    assert.equal(await nextId(table.connection), id + 1)
    drawn.add(id)
  }
  assert.ok(drawn.size > 1)
  using table = tableWith(10, ...run(11, 3000))
  const id = await nextId(table.connection)
  assert.ok(id > 3010 && id < 11 + 2 * 6400, `${id}`)
})

test("the drawn id is as far away as the run was searched, or up to twice as far", async (t) => {
  t.mock.method(crypto, "randomInt", (max: number) => max / 2)
  applyToImports(t)
  using table = tableWith(10, ...run(11, 201))
  assert.equal(await nextId(table.connection), 11 + 200 + 100)
  using full = tableWith(10, ...run(11, 301))
  assert.equal(await nextId(full.connection), 11 + 400 + 200)
})
