import assert from "node:assert/strict"
import { test } from "node:test"
import { keepNewest } from "./keep-newest.ts"

test("the entries that were set last remain, up to the maximum", () => {
  const map = new Map<string, number>()
  for (const [key, value, kept] of [
    ["a", 1, { a: 1 }],
    ["b", 2, { a: 1, b: 2 }],
    ["a", 3, { b: 2, a: 3 }],
    ["c", 4, { a: 3, c: 4 }],
    ["a", 5, { c: 4, a: 5 }],
  ] as const) {
    assert.equal(keepNewest(map, key, value, 2), value)
    assert.deepEqual([...map], Object.entries(kept))
  }
})
