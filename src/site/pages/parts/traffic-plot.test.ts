import assert from "node:assert/strict"
import { test } from "node:test"
import type { TrafficSlot } from "../../../kernel/measure.ts"
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

test("full hours are marked, and the numbers are listed by hour, newest first", () => {
  const text = plot(slot(3_300_000, 1), slot(3_600_000, 2, 1), slot(3_900_000, 4, 0, 2))
  assert.deepEqual(matches(text, /<text x="([\d.%]+)" y="\d+">([\d:]+)<\/text>/g), ["33.33% 01:00"])
  const rows = text.split("<tr").slice(2)
  assert.deepEqual(
    rows.map((row) => row.replace(/<[^>]+>/g, " ").match(/\d[\d:]*/g)),
    [
      ["01:00", "6", "1", "2"],
      ["00:00", "1", "0", "0"],
    ],
  )
})

test("a plot has a bar for each slot, lines for its scale and its hours, and the same numbers as a table", () => {
  const line = (attributes: string) => `<line class="grid" ${attributes}/>`
  const rect = (kind: string, x: string, y: number) =>
    `<rect class="${kind}" x="${x}" width="40%" y="${y}" height="${128 - y}"/>`
  const cells = (...values: (string | number)[]) =>
    ["Requests", "Refused", "Failed"]
      .map((title, n) => `<td role="cell" class="kind-number" data-label="${title}">${values[n + 1]}</td>`)
      .join("")
  const lines = plot(slot(3_600_000, 4, 1, 0), slot(3_900_000, 2, 0, 2))
    .split("\n")
    .filter((each) => each !== "")
  assert.deepEqual(lines.slice(0, 10), [
    '<div class="plot" role="img" aria-label="Requests"><ol class="scale" aria-hidden="true"><li>4</li><li>2</li><li>0</li></ol>',
    '<svg width="100%" height="152">',
    [128, 64, 0].map((y) => line(`x1="0" x2="100%" y1="${y}" y2="${y}"`)).join(""),
    "<g><title>01:00 UTC: 4 requests, 1 refused, 0 failed</title>",
    `${rect("served", "0%", 0)}${rect("refused", "0%", 96)}</g><g><title>01:05 UTC: 2 requests, 0 refused, 2 failed</title>`,
    `${rect("served", "50%", 64)}${rect("refused", "50%", 64)}${rect("failed", "50%", 64)}</g>`,
    line('x1="0%" x2="0%" y1="128" y2="134"'),
    '<text x="0%" y="149">01:00</text>',
    "</svg></div>",
    '<details class="numbers"><summary>Numbers by hour</summary>',
  ])
  assert.ok(
    lines.includes(
      `<tbody role="rowgroup"><tr role="row"><td role="cell" class="kind-time head">01:00</td>${cells("", 6, 1, 2)}</tr></tbody>`,
    ),
  )
})
