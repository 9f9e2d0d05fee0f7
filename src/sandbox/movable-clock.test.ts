import assert from "node:assert/strict"
import { test } from "node:test"
import { movableClock } from "./movable-clock.ts"

test("a clock that runs is ahead by exactly what it was advanced, although real time passes between two readings", () => {
  let now = 0
  const clock = movableClock({ now: () => now++ }, { aheadMs: 0 })
  clock.advance(86_400_000)
  assert.equal(clock.aheadMs(), 86_400_000)
  clock.setFrozen(true)
  const first = clock.aheadMs()
  assert.equal(clock.aheadMs(), first - 1)
})
