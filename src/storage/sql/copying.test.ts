import assert from "node:assert/strict"
import { test } from "node:test"
import { migratedDatabase } from "../../../test/harness/migrated.ts"
import { CannotStart } from "../../kernel/cannot-start.ts"
import { sqliteDialect } from "../sqlite/dialect.ts"
import {
  adaptEvents,
  noteRows,
  noteTables,
  parseKey,
  progressOf,
  readInventory,
  setCounter,
  setInventory,
} from "./copying.ts"
import type { RawDatabase, Table, Value } from "./tables.ts"

function openTarget() {
  const { db, ...database } = migratedDatabase()
  const target: RawDatabase = {
    dialect: sqliteDialect,
    async query(text, values = []) {
      const statement = db.prepare(text)
      statement.setReadBigInts(true)
      statement.setReturnArrays(true)
      return statement.all(...values) as unknown as Value[][]
    },
    transaction: (work) => work(),
  }
  const value = async (text: string) => (await target.query(text))[0]?.[0]
  return { target, value, db, [Symbol.dispose]: database[Symbol.dispose] }
}

const table = (name: string, key: readonly string[]): Table => ({
  name,
  key,
  columns: [
    { name: "name", isInteger: false },
    { name: "id", isInteger: true },
  ],
  hasGeneratedId: false,
})

test("a copy starts with empty tables, and notes the last key and the number of rows of each", async () => {
  using open = openTarget()
  const { target, value } = open
  const [tags, categories] = [table("tags", ["id"]), table("categories", ["name", "id"])]
  await target.query("INSERT INTO tags (id, name) VALUES (1, 'of a migration')")
  await noteTables(target, [tags, categories])
  assert.equal(await value("SELECT count(*) FROM tags"), 0n)
  assert.deepEqual(
    await progressOf(target),
    new Map([
      ["tags", { last: null, count: 0n }],
      ["categories", { last: null, count: 0n }],
    ]),
  )
  const last = await noteRows(target, tags, null, [
    ["a", 5n],
    ["b", 2n ** 60n],
  ])
  assert.deepEqual(parseKey(tags, last), [2n ** 60n])
  const next = await noteRows(target, tags, last, [["c", 2n ** 61n]])
  assert.deepEqual((await progressOf(target)).get("tags"), { last: next, count: 3n })
  const both = await noteRows(target, categories, null, [["5", 6n]])
  assert.deepEqual(parseKey(categories, both), ["5", 6n], "a text of digits stays a text")
})

test("of two copies into one database, one ends", async () => {
  using open = openTarget()
  const tags = table("tags", ["id"])
  await noteTables(open.target, [tags])
  const last = await noteRows(open.target, tags, null, [["a", 1n]])
  for (const before of [null, '["7"]'])
    await assert.rejects(
      noteRows(open.target, tags, before, [["b", 2n]]),
      new CannotStart("Another petstore copy is filling the same database"),
    )
  assert.ok(await noteRows(open.target, tags, last, [["b", 2n]]))
})

test("the numbers of pets and the counters are set, and the positions of events are those of the dialect", async () => {
  using open = openTarget()
  const { target, value } = open
  await target.query("UPDATE inventory SET pets = 9")
  await setInventory(target, [
    ["sold", 5n],
    ["pending", 6n],
  ])
  assert.deepEqual(new Map((await readInventory(target)) as [string, bigint][]).get("sold"), 5n)
  assert.equal(await value("SELECT sum(pets) FROM inventory"), 11n)
  await setCounter(target, "events", 2n)
  assert.equal(await value("SELECT last FROM counters WHERE name = 'events'"), 2n)
  assert.equal(await value("SELECT count(*) FROM counters WHERE last = 2"), 1n)

  const events = "SELECT group_concat(coalesce(position, 'none')) FROM (SELECT position FROM events ORDER BY id)"
  for (const position of [1, 2, null, null])
    await target.query(
      `INSERT INTO events (kind, json, created_at, position) VALUES ('pet.created', '{}', 1, ${position})`,
    )
  await adaptEvents(target)
  assert.equal(await value(events), "1,2,3,4")
  await adaptEvents({ ...target, dialect: { ...sqliteDialect, name: "postgres" } })
  assert.equal(await value(events), "1,2,none,none")
})
