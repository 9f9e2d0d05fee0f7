import assert from "node:assert/strict"
import { test } from "node:test"
import type { RawDatabase, Table, Value } from "../../storage/sql/tables.ts"
import { sqliteDialect } from "../../storage/sqlite/dialect.ts"
import { sumOfRows } from "./row-sum.ts"

const table: Table = {
  name: "t",
  columns: [
    { name: "id", isInteger: true },
    { name: "text", isInteger: false },
  ],
  key: ["id"],
  hasGeneratedId: false,
}

/** A database that returns these rows in pages, and records the keys after which they are read. */
async function sum(rows: Value[][]) {
  const after: unknown[] = []
  const database: RawDatabase = {
    dialect: sqliteDialect,
    async query(text, values) {
      after.push(values)
      const limit = Number(/LIMIT (\d+)/.exec(text)?.[1])
      const first = values === undefined ? 0 : rows.findIndex(([id]) => id === values[0]) + 1
      return rows.slice(first, first + limit)
    },
    transaction: (work) => work(),
  }
  return { ...(await sumOfRows(database, table)), after }
}

const rowsOf = (count: number): Value[][] => Array.from({ length: count }, (_, n) => [BigInt(n), `text ${n}`])

test("every row is summed, page by page", async () => {
  const asked = async (count: number) => (await sum(rowsOf(count))).after
  assert.deepEqual(await asked(0), [undefined])
  assert.deepEqual(await asked(999), [undefined])
  assert.deepEqual(await asked(1000), [undefined, [999n]])
  assert.deepEqual(await asked(2001), [undefined, [999n], [1999n]])
  assert.equal((await sum(rowsOf(2001))).count, 2001)
  assert.deepEqual(await sum([]), { count: 0, sum: 0n, after: [undefined] })
})

test("the sum does not depend on the order of rows, and on every value and its type", async () => {
  const of = async (...rows: Value[][]) => (await sum(rows)).sum
  const [a, b]: [Value[], Value[]] = [
    [1n, "a"],
    [2n, "b"],
  ]
  assert.equal(await of(a, b), await of(b, a))
  assert.notEqual(await of(a, a), 0n, "equal rows do not cancel each other")
  const sums = await Promise.all([
    of(a),
    of([1n, "b"]),
    of([2n, "a"]),
    of(["1", "a"]),
    of([1n, null]),
    of(a, b),
    of([1n, '"a"']),
  ])
  assert.equal(new Set(sums).size, sums.length)
  for (const found of sums) assert.ok(found >= 0n && found < 2n ** 256n)
})
