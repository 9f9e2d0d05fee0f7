import assert from "node:assert/strict"
import { test } from "node:test"
import { describeDateTime } from "./date-time.ts"

test("the refusal of a date-time names what is missing, and nothing where the text is none", () => {
  for (const [text, missing] of [
    ["2024-01-01T10:00Z", " with seconds"],
    ["2024-01-01T10:00+02:00", " with seconds"],
    ["2024-01-01T10:00:00", " with an offset"],
    ["2024-01-01 10:00:00.5", " with an offset"],
    ["2024-01-01T10:00", " with seconds and an offset"],
    ["2024-01-01", " with a time and an offset"],
    ["2024-02-30", ""],
    ["2020-05-32", ""],
    ["2024-01-01T25:00", ""],
    ["soon", ""],
    ["", ""],
  ] as const)
    assert.equal(describeDateTime(text), `must be a date-time${missing}, such as 2026-01-02T03:04:05Z`, text)
})
