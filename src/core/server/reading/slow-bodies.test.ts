import assert from "node:assert/strict"
import { test } from "node:test"
import { bodyPace, isTooSlow } from "./slow-bodies.ts"

test("an upload of 10 MiB over a line of 64 kB/s is never too slow, and one of a byte a second soon is", () => {
  for (let seconds = 1; seconds <= 164; seconds++)
    assert.equal(isTooSlow(64_000 * (seconds - 1), seconds * 1000, bodyPace), false)
  assert.equal(isTooSlow(10, 10_000, bodyPace), false)
  assert.equal(isTooSlow(11, 11_000, bodyPace), true)
  assert.deepEqual(
    [isTooSlow(0, 10_000, bodyPace), isTooSlow(0, 10_001, bodyPace)],
    [false, true],
    "both sides of the time without a minimum",
  )
  assert.deepEqual(
    [isTooSlow(320_032, 10_001, bodyPace), isTooSlow(320_031, 10_001, bodyPace)],
    [false, true],
    "both sides of the rate",
  )
})
