import assert from "node:assert/strict"
import { test } from "node:test"
import { manualClock } from "../../../test/harness/clock.ts"
import { recordTerminal } from "../../../test/harness/terminal.ts"
import { formatDuration, openProgress } from "./progress.ts"

type Update = [atMs: number, passed: number, worked?: number]

/** What is written at each of these updates. */
function drawnAt(
  isTerminal: boolean,
  updates: readonly Update[],
  total: number | "unknown" = 25_000,
  stage?: { what: string; unit: string },
): string[] {
  const clock = manualClock()
  const start = clock.now()
  const { terminal, written } = recordTerminal({ isTerminal })
  const progress = openProgress(terminal, clock, total === "unknown" ? undefined : total, stage)
  return updates.map(([atMs, passed, worked = passed]) => {
    clock.advance(start + atMs - clock.now())
    written.err = ""
    progress.update(passed, worked)
    return written.err
  })
}

test("the first progress is printed after a second on a terminal, elsewhere after five, without an estimate, which needs two", () => {
  for (const [isTerminal, firstMs] of [
    [true, 1_000],
    [false, 5_000],
  ] as const) {
    const lines = drawnAt(isTerminal, [
      [126, 1],
      [firstMs - 1, 1],
      [firstMs, 1],
      [10_000, 10_000],
    ])
    assert.deepEqual(lines.slice(0, 2), ["", ""])
    assert.match(lines[2] as string, /1 of 25,000\n?$/)
    assert.match(lines[3] as string, /10,000 of 25,000 {2}1,000\/s {2}15 s left\n?$/)
  }
})

const redraw = "\r\u001b[K"

test("a terminal has a bar, redrawn ten times a second, with rate and remaining time after two seconds", () => {
  assert.deepEqual(
    drawnAt(true, [
      [1000, 1000],
      [1099, 2000],
      [1100, 2000],
      [1999, 2100],
      [2100, 4200, 4200],
      [3000, 30_000, 0],
    ]),
    [
      `${redraw}█░░░░░░░░░░░░░░░░░░░  1,000 of 25,000`,
      "",
      `${redraw}██░░░░░░░░░░░░░░░░░░  2,000 of 25,000`,
      `${redraw}██░░░░░░░░░░░░░░░░░░  2,100 of 25,000`,
      `${redraw}███░░░░░░░░░░░░░░░░░  4,200 of 25,000  2,000/s  11 s left`,
      `${redraw}████████████████████  30,000 of 25,000  0/s`,
    ],
  )
  assert.deepEqual(
    drawnAt(
      true,
      [
        [1000, 1],
        [1999, 2],
        [2099, 2],
      ],
      10,
    ),
    [
      `${redraw}██░░░░░░░░░░░░░░░░░░  1 of 10`,
      `${redraw}████░░░░░░░░░░░░░░░░  2 of 10`,
      `${redraw}████░░░░░░░░░░░░░░░░  2 of 10  1/s  9 s left`,
    ],
  )
})

test("elsewhere there is a line every five seconds, without a bar, and without an estimate where the total is unknown", () => {
  assert.deepEqual(
    drawnAt(
      false,
      [
        [5000, 10],
        [9999, 20],
        [10_000, 20],
      ],
      "unknown",
    ),
    ["10 lines\n", "", "20 lines  2/s\n"],
  )
  assert.deepEqual(
    drawnAt(
      true,
      [
        [1000, 1],
        [2000, 4],
      ],
      "unknown",
    ),
    [`${redraw}1 line`, `${redraw}4 lines  2/s`],
  )
})

test("the stage comes first, and the unit after the numbers", () => {
  assert.deepEqual(drawnAt(false, [[5000, 10]], 20, { what: "Tables", unit: "rows" }), ["Tables  10 of 20 rows\n"])
  assert.deepEqual(drawnAt(true, [[1000, 0]], 0, { what: "Tables", unit: "rows" }), [`${redraw}Tables  0 of 0 rows`])
})

test("a message and the end clear a progress line of a terminal, once", () => {
  for (const [isTerminal, expected] of [
    [true, `${redraw}██████████░░░░░░░░░░  5 of 10${redraw}A message\nAnother\n`],
    [false, "A message\nAnother\n"],
  ] as const) {
    const clock = manualClock()
    const { terminal, written } = recordTerminal({ isTerminal })
    const progress = openProgress(terminal, clock, 10)
    progress.end()
    clock.advance(1000)
    progress.update(5, 5)
    progress.say("A message\n")
    progress.say("Another\n")
    progress.end()
    assert.equal(written.err, expected)
  }
})

test("a duration is in seconds, minutes or hours, rounded up to a second", () => {
  assert.deepEqual([0.2, 59, 59.1, 3599, 3600, 2 * 3600 + 5 * 60 + 59].map(formatDuration), [
    "1 s",
    "59 s",
    "1 min 0 s",
    "59 min 59 s",
    "1 h 0 min",
    "2 h 5 min",
  ])
})
