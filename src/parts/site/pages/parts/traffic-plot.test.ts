import assert from "node:assert/strict"
import { test } from "node:test"
import type { TrafficSlot } from "../../../../core/kernel/measure.ts"
import { trafficPlot } from "./traffic-plot.ts"

const slot = (startsAt: number, requests: number, refused = 0, failed = 0): TrafficSlot => ({
  startsAt,
  requests,
  refused,
  failed,
})
const plot = (...slots: TrafficSlot[]) => trafficPlot(slots, "Requests").text
const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, ...groups]) => groups.join(" "))
const scaleOf = (max: number) => matches(plot(slot(0, max)), /<li>(\d+)<\/li>/g).map(Number)

test("the axis ends at a round number with a round half, at least the highest bar", () => {
  const tops = [0, 1, 2, 3, 5, 7, 9, 10, 11, 39, 41, 61, 81, 100, 101].map((max) => scaleOf(max)[0])
  assert.deepEqual(tops, [2, 2, 2, 4, 6, 8, 10, 10, 20, 40, 60, 80, 100, 100, 200])
  assert.deepEqual(scaleOf(5), [6, 3, 0])
})

test("a slot has a bar of its requests, with the refused and failed ones inside, and none without requests", () => {
  const text = plot(slot(0, 8, 1, 1), slot(300_000, 0))
  assert.deepEqual(
    matches(text, /<rect class="(\w+)" x="([\d.%]+)" width="([\d.%]+)" y="([\d.]+)" height="([\d.]+)"/g),
    ["served 0% 40% 0 128", "refused 0% 40% 96 32", "failed 0% 40% 112 16"],
  )
  assert.deepEqual(matches(text, /<title>(.*?)<\/title>/g), ["00:00 UTC: 8 requests, 1 refused, 1 failed"])
  assert.deepEqual(matches(plot(slot(0, 1)), /<title>(.*?)<\/title>/g), ["00:00 UTC: 1 requests, 0 refused, 0 failed"])
})
