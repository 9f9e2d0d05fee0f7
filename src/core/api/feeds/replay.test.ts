import assert from "node:assert/strict"
import { test } from "node:test"
import { pageLimitMax } from "../../kernel/endpoint/page.ts"
import { Problem } from "../../kernel/problem.ts"
import { replayBound } from "./replay.ts"

/** A replay up to the position 5000; `refusals` are the outcomes of the pages that it takes. */
function replayOf({ isFirstPaid = false, refusals = [] as (Problem | undefined)[] } = {}) {
  let taken = 0
  const bound = replayBound({ isFirstPaid, takePage: async () => refusals[taken++] }, 5000)
  const send = (first: number, count: number) =>
    bound.record(Array.from({ length: count }, (_, n) => ({ id: `evt_${first + n}_a` })))
  const admits = (after: number, now = 0) => bound.admits(after, () => now)
  return { ...bound, admits, send, taken: () => taken }
}

test("a page is taken for as many events as a page of the feed has, up to the position", async () => {
  const { admits, send, taken } = replayOf()
  assert.deepEqual([await admits(0), taken()], [true, 1])
  send(1, pageLimitMax - 1)
  assert.deepEqual([await admits(pageLimitMax - 1), taken()], [true, 1])
  send(pageLimitMax, 1)
  assert.deepEqual([await admits(pageLimitMax), taken()], [true, 2])
})

test("events after the position cost nothing, also when none is left", async () => {
  const { admits, send, taken } = replayOf({ isFirstPaid: true })
  assert.deepEqual([await admits(5000), await admits(6000), taken()], [true, true, 0])
  send(5001, 3 * pageLimitMax)
  assert.deepEqual([await admits(4999), taken()], [true, 0], "the request pays for the first page")
  send(5000, 1)
  send(1, pageLimitMax - 1)
  assert.deepEqual([await admits(4999), taken()], [true, 1])
  send(1, pageLimitMax)
  assert.deepEqual([await admits(5000), taken(), await admits(4999), taken()], [true, 1, true, 2])
})

test("a replay pauses for as long as the plan is used up", async () => {
  const usedUp = new Problem("quota-exceeded", "", { retryAfter: 3 })
  const { admits, isPaused, taken } = replayOf({ refusals: [usedUp, new Problem("quota-exceeded", "")] })
  assert.equal(isPaused(0), false)
  assert.equal(await admits(0, 500), false)
  assert.deepEqual([isPaused(3499), isPaused(3500)], [true, false])
  assert.equal(await admits(0, 4000), false)
  assert.deepEqual([isPaused(4999), isPaused(5000)], [true, false])
  assert.deepEqual([await admits(0, 5000), taken()], [true, 3])
})
