import assert from "node:assert/strict"
import { mock, test } from "node:test"
import type { Timings } from "../exchange/exchange.ts"
import { serverTiming } from "./server-timing.ts"

/** The value for a request that started so many milliseconds ago. */
function timingOf(timings: Partial<Timings>, ms = 3) {
  const { mock: now } = mock.method(performance, "now", () => 1_000 + ms)
  const value = serverTiming({ auth: undefined, limits: undefined, operation: undefined, ...timings }, 1_000)
  now.restore()
  return value
}

test("the parts that a request has passed and the whole are in milliseconds, to a hundredth", () => {
  assert.equal(timingOf({}), "total;dur=3")
  assert.equal(timingOf({ auth: 0 }), "auth;dur=0, total;dur=3")
  assert.equal(
    timingOf({ auth: 0.126, limits: 2.554, operation: 1_234.567 }, 2_000.5),
    "auth;dur=0.13, limits;dur=2.55, operation;dur=1234.57, total;dur=2000.5",
  )
  assert.equal(timingOf({ operation: 2.56 }, 2.55), "operation;dur=2.56, total;dur=2.55")
})
