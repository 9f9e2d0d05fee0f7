import assert from "node:assert/strict"
import { test } from "node:test"
import { manualClock } from "../../../test/harness/clock.ts"
import { atOnceMax, pace } from "../domain/users/sessions/sign-in.ts"
import { memoryCounts } from "./attempts.ts"

test("attempts at a name pause ever longer once its maximum is reached, up to the last pause", () => {
  const clock = manualClock(5000)
  const { take } = memoryCounts(clock)
  const pace = { windowMs: 100_000, pausesMs: [10, 20] }
  const attempt = (max: number) => take({ name: "a", max }, pace)
  assert.deepEqual([attempt(2), attempt(2), attempt(2)], [0, 0, 10])
  clock.advance(9)
  assert.equal(attempt(2), 1)
  clock.advance(1)
  assert.deepEqual([attempt(2), attempt(2)], [0, 20])
  clock.advance(20)
  assert.deepEqual([attempt(2), attempt(2)], [0, 20], "the last pause stays")
  clock.advance(100_000)
  assert.deepEqual([attempt(2), attempt(2), attempt(2)], [0, 0, 10], "the window has passed")
  assert.equal(attempt(3), 0, "below a higher maximum")
  clock.advance(-50)
  assert.deepEqual([attempt(4), attempt(5)], [0, 0], "below its maximum, also on a clock that was set back")
})

test("at the pace of sign-ins, one name allows at most 5,500 attempts a day, and 109 in the first 15 minutes", () => {
  const clock = manualClock()
  const { take } = memoryCounts(clock)
  let ahead = 0
  let quarter = 0
  for (let second = 0; second < 86_400; second++) {
    while (take({ name: "ada", max: atOnceMax }, pace) === 0) ahead++
    if (second === 899) quarter = ahead
    clock.advance(1_000)
  }
  assert.deepEqual({ isBounded: ahead <= 5_500, quarter }, { isBounded: true, quarter: 109 }, `${ahead} a day`)
})
