import assert from "node:assert/strict"
import { test } from "node:test"
import { timeAgo } from "./time.ts"

const at = "2026-03-04T05:06:07.890Z"
const textOf = (markup: unknown) => String((markup as { text: string }).text)
/** A visit this long after `at`. */
const after = (ms: number) => ({ service: { now: () => Date.parse(at) + ms } })

test("a time is shown as a distance, past and future, in the largest unit of which there are two, one and a half hours, or one minute", () => {
  const distances: [number, string][] = [
    [0, "1 second ago"],
    [59_000, "59 seconds ago"],
    [1, "1 second ago"],
    [1_499, "1 second ago"],
    [1_500, "2 seconds ago"],
    [59_499, "59 seconds ago"],
    [60_000, "1 minute ago"],
    [61_000, "1 minute ago"],
    [116_000, "2 minutes ago"],
    [120_000, "2 minutes ago"],
    [1.5 * 3_600_000 - 1, "90 minutes ago"],
    [1.5 * 3_600_000, "2 hours ago"],
    [2 * 3_600_000, "2 hours ago"],
    [-500, "1 second ago"],
    [-501, "in 1 second"],
    [2 * 31_557_600_000 - 1, "730 days ago"],
    [2 * 31_557_600_000, "2 years ago"],
    [-3 * 3_600_000, "in 3 hours"],
    [47 * 3_600_000, "47 hours ago"],
    [-48 * 3_600_000, "in 2 days"],
    [800 * 86_400_000, "2 years ago"],
  ]
  for (const [ms, distance] of distances)
    assert.match(textOf(timeAgo(after(ms), at)), new RegExp(`>${distance}</time>$`))
})
