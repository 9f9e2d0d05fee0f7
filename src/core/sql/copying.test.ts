import assert from "node:assert/strict"
import { test } from "node:test"
import { migratedDatabase } from "../../../test/harness/migrated.ts"
import { CannotStart } from "../kernel/cannot-start.ts"
import { sqliteDialect } from "../sqlite/dialect.ts"
import { noteRows, noteTables } from "./copying.ts"
import type { RawDatabase, Table, Value } from "./tables.ts"

function openTarget() {
  const { db, ...database } = migratedDatabase()
  const target: RawDatabase = {
    dialect: sqliteDialect,
    async query(text, values = []) {
      const statement = db.prepare(text)
      statement.setReadBigInts(true)
      statement.setReturnArrays(true)
      return statement.all(...values).map((row) => Object.values(row) as Value[])
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
