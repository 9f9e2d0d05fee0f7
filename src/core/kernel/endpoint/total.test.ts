import assert from "node:assert/strict"
import { test } from "node:test"
import { countedMax, totalHeaders, totalIn, totalOf, withTotal } from "./total.ts"

test("a total is exact up to its maximum", () => {
  assert.deepEqual(totalOf(10, 10), { count: 10, isExact: true })
  assert.deepEqual(totalOf(11, 10), { count: 10, isExact: false })
  assert.deepEqual(totalOf(10_000, countedMax), { count: 10_000, isExact: true })
  assert.deepEqual(totalOf(10_001, countedMax), { count: 10_000, isExact: false })
})

test("the headers of a response name the total", () => {
  const [exact, least] = [totalHeaders({ count: 0, isExact: true }), totalHeaders({ count: 7, isExact: false })]
  assert.deepEqual(exact, { "total-count": "0", "preference-applied": "count=exact" })
  assert.deepEqual(least, { "total-count": "7", "preference-applied": "count=at-least" })
  assert.deepEqual([exact, least, {}].map(totalIn), [
    { count: 0, isExact: true },
    { count: 7, isExact: false },
    undefined,
  ])
})

test("a page gets its total, when both are known", async () => {
  const total = { count: 1, isExact: true }
  assert.deepEqual(await withTotal(Promise.resolve({ items: [1] }), Promise.resolve(total)), { items: [1], total })
})
