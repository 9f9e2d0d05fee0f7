import assert from "node:assert/strict"
import { test } from "node:test"
import type { Table, Value } from "../../../core/sql/tables.ts"
import { sqliteDialect } from "../../../core/sqlite/dialect.ts"
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

/** The sum of a table with these rows, which fit on a page. */
const of = async (...rows: Value[][]) =>
  (await sumOfRows({ dialect: sqliteDialect, query: async () => rows, transaction: (work) => work() }, table)).sum

test("the sum does not depend on the order of rows, and on every value and its type", async () => {
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
