import assert from "node:assert/strict"
import { test } from "node:test"
import { durationMs, durationPattern, toDuration } from "./duration.ts"

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000]

test("a duration is a number of milliseconds, rounded", () => {
  for (const [text, ms] of [
    ["P2W", 14 * day],
    ["P1D", day],
    ["PT2H", 2 * hour],
    ["PT3M", 3 * minute],
    ["PT4S", 4 * second],
    ["P1DT2H3M4.5S", day + 2 * hour + 3 * minute + 4_500],
    ["PT0,0015S", 2],
    ["PT0.0004S", 0],
  ] as const) {
    assert.match(text, new RegExp(durationPattern))
    assert.equal(durationMs(text), ms, text)
  }
})

test("other durations of ISO 8601 do not match", () => {
  for (const text of ["", "P", "PT", "P1Y", "P1M", "P1DT", "1D", "PT1.5M", "P1W1D", "PT.5S", "PT1H ", "P1234567D"])
    assert.doesNotMatch(text, new RegExp(durationPattern), text)
})

test("milliseconds are written in hours, minutes and seconds that are not zero", () => {
  for (const [ms, text] of [
    [0, "PT0S"],
    [499, "PT0S"],
    [500, "PT1S"],
    [59_999, "PT1M"],
    [61 * second, "PT1M1S"],
    [hour, "PT1H"],
    [hour + second, "PT1H1S"],
    [2 * day + 3 * minute, "PT48H3M"],
  ] as const)
    assert.equal(toDuration(ms), text)
})
