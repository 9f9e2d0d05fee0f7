import assert from "node:assert/strict"
import { test } from "node:test"
import { migratedDatabase } from "../../../../test/harness/migrated.ts"
import { sqliteConnection } from "../../sqlite/connection.ts"
import { LabelMemory } from "./label-memory.ts"
import { addLabels, forgetUnusedLabels } from "./labels.ts"

function labelled() {
  const database = migratedDatabase()
  const memory = new LabelMemory()
  const connection = sqliteConnection(database.db, { labels: memory })
  const stored = () =>
    database.db
      .prepare("SELECT name FROM tags ORDER BY id")
      .all()
      .map(({ name }) => name)
  return { memory, connection, stored, [Symbol.dispose]: () => database[Symbol.dispose]() }
}

test("new names get ids in the order of the names, known ones keep theirs, and all are remembered", async () => {
  using made = labelled()
  const { connection, memory } = made
  const first = await addLabels(connection, "tags", ["m", "z", "a"])
  assert.deepEqual(made.stored(), ["a", "m", "z"])
  const second = await addLabels(connection, "tags", ["z", "b"])
  assert.deepEqual(made.stored(), ["a", "m", "z", "b"])
  assert.equal(second.get("z"), first.get("z"))
  assert.deepEqual([...second.keys()].sort(), ["b", "z"])
  for (const [name, id] of [...first, ...second]) assert.equal(memory.find("tags", name), id)
})

test("names that others have added are found and remembered, and no names need none", async () => {
  using made = labelled()
  const { connection, memory } = made
  const first = await addLabels(connection, "tags", ["a"])
  memory.clear()
  assert.deepEqual(await addLabels(connection, "tags", ["a"]), first)
  assert.equal(memory.find("tags", "a"), first.get("a"))
  assert.deepEqual(await addLabels(connection, "tags", []), new Map())
  assert.deepEqual(made.stored(), ["a"])
})

test("names without pets are deleted and forgotten, a batch after an id at a time", async () => {
  using made = labelled()
  const { connection, memory } = made
  const ids = await addLabels(connection, "tags", ["a", "b", "c"])
  assert.equal(await forgetUnusedLabels(connection, "tags", ids.get("a") ?? 0, 2), ids.get("c"))
  assert.deepEqual(made.stored(), ["a"])
  assert.deepEqual(
    ["a", "b", "c"].map((name) => memory.find("tags", name)),
    [ids.get("a"), undefined, undefined],
  )
  assert.equal(await forgetUnusedLabels(connection, "tags", 0, 2), undefined)
  assert.deepEqual(made.stored(), [])
})
