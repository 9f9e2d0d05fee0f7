import assert from "node:assert/strict"
import { test } from "node:test"
import { manualClock } from "../../../test/harness/clock.ts"
import { plain } from "../command/command.ts"
import { formatDuration, openProgress } from "./progress.ts"

function drawnAt(isTerminal: boolean, updates: readonly [atMs: number, done: number][]): string[] {
  const clock = manualClock()
  const start = clock.now()
  const lines: string[] = []
  const terminal = { stdin: (async function* () {})(), out: () => {}, err: (text: string) => void lines.push(text) }
  const rest = { paint: { out: plain, err: plain }, width: undefined, isTerminal }
  const progress = openProgress({ ...terminal, ...rest }, clock, 25_000)
  for (const [atMs, done] of updates) {
    clock.advance(start + atMs - clock.now())
    progress.update(done, done)
  }
  return lines
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
    assert.equal(lines.length, 2)
    assert.match(lines[0] as string, /1 of 25,000\n?$/)
    assert.match(lines[1] as string, /10,000 of 25,000 {2}1,000\/s {2}15 s left\n?$/)
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
