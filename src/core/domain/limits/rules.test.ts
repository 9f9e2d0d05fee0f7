import assert from "node:assert/strict"
import { test } from "node:test"
import { fullness, usageOf, type Window } from "./rules.ts"

/** A window whose n-th oldest request leaves it n seconds after the time 0, `later` than that. */
const windowOf = (policy: Window["policy"], quota: number, used: number, later = 0): Window => ({
  policy,
  quota,
  used,
  leavesAt: (n) => later + n * 1000,
})

test("a request needs capacity in each window; a refusal says when all have it", () => {
  const full = (minute: number, day: number, later = 0) =>
    fullness([windowOf("minute", 3, minute), windowOf("day", 5, day, later)], 500)
  assert.equal(full(2, 4), undefined)
  assert.deepEqual(full(3, 4, 9000), { violated: ["minute"], retryAfterS: 1 })
  assert.deepEqual(full(5, 4), { violated: ["minute"], retryAfterS: 3 })
  assert.deepEqual(full(2, 5, 7000), { violated: ["day"], retryAfterS: 8 })
  assert.deepEqual(full(4, 5, 7000), { violated: ["minute", "day"], retryAfterS: 8 })
  assert.deepEqual(fullness([windowOf("minute", 1, 1)], 5000), { violated: ["minute"], retryAfterS: 1 })
  assert.deepEqual(fullness([windowOf("minute", 1, 1)], -1), { violated: ["minute"], retryAfterS: 2 })
})

test("the usage of a window says what remains, and when the oldest request leaves it", () => {
  assert.deepEqual(usageOf([windowOf("minute", 3, 0), windowOf("day", 5, 7, 4000)], 0), [
    { policy: "minute", quota: 3, windowSeconds: 60, used: 0, remaining: 3, resetSeconds: 0 },
    { policy: "day", quota: 5, windowSeconds: 86_400, used: 7, remaining: 0, resetSeconds: 5 },
  ])
  const [minute] = usageOf([windowOf("minute", 3, 1), windowOf("day", 5, 1)], 2000)
  assert.deepEqual([minute.remaining, minute.resetSeconds], [2, 1])
})
