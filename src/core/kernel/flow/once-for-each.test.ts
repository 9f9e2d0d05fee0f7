import assert from "node:assert/strict"
import { test } from "node:test"
import { onceForEach } from "./once-for-each.ts"

test("the result for an object is made once", () => {
  let made = 0
  const once = onceForEach((key: { n: number }) => key.n + made++)
  const [first, second] = [{ n: 10 }, { n: 20 }]
  assert.deepEqual([once(first), once(first), once(second), once(first)], [10, 10, 21, 10])
})
