import assert from "node:assert/strict"
import { test } from "node:test"
import { logTimestamp, steadyClock, systemClock, timeIn, timestamp } from "./clock.ts"

test("a time is written in UTC, also one after another and again", () => {
  for (const [ms, text] of [
    [0, "1970-01-01T00:00:00.000Z"],
    [0, "1970-01-01T00:00:00.000Z"],
    [1_767_323_045_678, "2026-01-02T03:04:05.678Z"],
    [0, "1970-01-01T00:00:00.000Z"],
  ] as const)
    assert.equal(timestamp(ms), text)
})

test("a time of RFC 3339 may be in lower case or have a space, and a leap second is the second after it", () => {
  const at = Date.UTC(2026, 0, 2, 3, 4, 5)
  for (const text of ["2026-01-02T03:04:05Z", "2026-01-02t03:04:05z", "2026-01-02 04:04:05+01:00"])
    assert.equal(timeIn(text), at, text)
  assert.equal(timeIn("2016-12-31T23:59:60Z"), Date.UTC(2017, 0, 1))
  assert.equal(timeIn("2016-12-31t23:59:60.5z"), Date.UTC(2017, 0, 1) + 500)
})

test("durations are measured from the start of the process on", (t) => {
  t.mock.method(performance, "now", () => 7 * 86_400_000)
  assert.equal(steadyClock.now(), performance.timeOrigin + 7 * 86_400_000)
})

test("the clocks of the system show the present", () => {
  for (const now of [systemClock.now(), steadyClock.now(), Date.parse(logTimestamp())])
    assert.ok(Math.abs(now - Date.now()) < 60_000)
})
