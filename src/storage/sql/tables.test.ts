import assert from "node:assert/strict"
import { test } from "node:test"
import { sqliteDialect } from "../sqlite/dialect.ts"
import { addRows, keyOf, type RawDatabase, readRows, type Table, type Value } from "./tables.ts"

/** A database that records statements. */
function recorded() {
  const asked: { text: string; values: readonly Value[] | undefined }[] = []
  const database: RawDatabase = {
    dialect: { ...sqliteDialect, placeholder: (n) => `$${n}` },
    async query(text, values) {
      asked.push({ text, values })
      return []
    },
    transaction: (work) => work(),
  }
  return { database, asked }
}

const table: Table = {
  name: "places",
  columns: ["name", "id", "street"].map((name) => ({ name, isInteger: name === "id" })),
  key: ["street", "id"],
  hasGeneratedId: false,
}

test("rows are read in the order of their primary key, from the first or after a key", async () => {
  const { database, asked } = recorded()
  await readRows(database, table, undefined, 5)
  await readRows(database, table, ["Main", 7n], 2)
  assert.deepEqual(asked, [
    { text: 'SELECT "name", "id", "street" FROM "places"  ORDER BY "street", "id" LIMIT 5', values: undefined },
    {
      text: 'SELECT "name", "id", "street" FROM "places" WHERE ("street", "id") > ($1, $2) ORDER BY "street", "id" LIMIT 2',
      values: ["Main", 7n],
    },
  ])
  assert.deepEqual(keyOf(table, ["a", 7n, "Main"]), ["Main", 7n])
  assert.deepEqual(keyOf(table, ["a"]), [null, null])
})

test("rows are added in order, in statements of at most 20,000 values", async () => {
  const { database, asked } = recorded()
  await addRows(database, table, [])
  await addRows(database, table, [
    ["a", 1n, "Main"],
    ["b", 2n, null],
  ])
  assert.deepEqual(asked.splice(0), [
    {
      text: 'INSERT INTO "places" ("name", "id", "street") VALUES ($1, $2, $3), ($4, $5, $6)',
      values: ["a", 1n, "Main", "b", 2n, null],
    },
  ])
  const rows = Array.from({ length: 13_333 }, (_, n) => ["a", BigInt(n), "Main"])
  await addRows(database, table, rows)
  assert.deepEqual(
    asked.map(({ values }) => values?.length),
    [3 * 6666, 3 * 6666, 3],
  )
  assert.deepEqual(
    asked.flatMap(({ values }) => values),
    rows.flat(),
  )
})
