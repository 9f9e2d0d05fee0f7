import assert from "node:assert/strict"
import { test } from "node:test"
import { dayWindowMs, minuteMs, oldestMinute, Tally } from "./tally.ts"

const quota = { minute: 5, day: 50 }
const start = 5000 * minuteMs

/** The used requests of both windows. */
const usedBy = (tally: Tally, now: number) => tally.windows(quota, now).map(({ used }) => used)

const cell = (minute: number, count: number, offsetsMs: number[]) => ({ accountId: 7, minute, count, offsetsMs })

function tallyOf(...moments: number[]): Tally {
  const tally = new Tally()
  for (const moment of moments) tally.add(moment)
  return tally
}

test("a request counts for 60 seconds in the minute, and to the end of its minute a day later", () => {
  const tally = tallyOf(start + 1000, start + minuteMs)
  assert.deepEqual(usedBy(tally, start + minuteMs), [2, 2])
  assert.deepEqual(usedBy(tally, start + 1000 + minuteMs - 1), [2, 2])
  assert.deepEqual(usedBy(tally, start + 1000 + minuteMs), [1, 2])
  assert.deepEqual(usedBy(tally, start + 2 * minuteMs), [0, 2])
  assert.deepEqual(usedBy(tally, start + dayWindowMs + minuteMs - 1), [0, 2])
  assert.deepEqual(usedBy(tally, start + dayWindowMs + minuteMs), [0, 1])
  assert.deepEqual(usedBy(tally, start + dayWindowMs + 2 * minuteMs), [0, 0])
  assert.equal(oldestMinute(start + dayWindowMs + 59_999), start / minuteMs)
})

test("each window knows its quota, and when each of its requests leaves", () => {
  const tally = tallyOf(start, start + 10, start + minuteMs - 1, start + minuteMs)
  const [minute, day] = tally.windows(quota, start + minuteMs - 1)
  assert.deepEqual(
    [minute.policy, minute.quota, minute.used, day.policy, day.quota, day.used],
    ["minute", 5, 4, "day", 50, 4],
  )
  assert.deepEqual(
    [1, 2, 3, 4].map((n) => minute.leavesAt(n) - start - minuteMs),
    [0, 10, minuteMs - 1, minuteMs],
  )
  assert.deepEqual(
    [1, 2, 3, 4].map((n) => day.leavesAt(n) - start - dayWindowMs),
    [minuteMs, minuteMs, minuteMs, 2 * minuteMs],
  )
  assert.throws(() => day.leavesAt(5), new RangeError("there is no 5th request in a day of 4"))
})

test("cells hold the count of each minute and its moments of the last minute, newest first", () => {
  const minute = start / minuteMs
  const tally = tallyOf(start, start + 59_999, start + minuteMs, start + 3 * minuteMs + 5)
  const cells = [cell(minute + 3, 1, [5]), cell(minute + 1, 1, [0]), cell(minute, 2, [0, 59_999])]
  assert.deepEqual(tally.cells(7), cells)
  assert.deepEqual(tally.cells(7, minute + 1), cells.slice(0, 2))
  assert.deepEqual(tally.cells(7, minute + 2), cells.slice(0, 1))
  tally.windows(quota, start + 3 * minuteMs + 5)
  assert.deepEqual(tally.cells(7), [cell(minute + 3, 1, [5]), cell(minute + 1, 1, []), cell(minute, 2, [])])
})

test("a tally of stored cells continues where they ended, with no request in the future", () => {
  const minute = start / minuteMs
  const now = start + 2 * minuteMs + 30_000
  const stored = [
    cell(minute - 1440, 3, [1]),
    cell(minute, 4, [59_999]),
    cell(minute + 1, 2, [20_000, 40_000]),
    cell(minute + 2, 1, [40_000]),
    cell(minute + 9, 1, [0]),
  ]
  const tally = Tally.of(stored, now)
  // Moments that have left the minute are not read: these of `minute` left when `minute + 2` began.
  assert.deepEqual(tally.cells(7), [
    cell(minute + 2, 2, [30_000, 30_000]),
    cell(minute + 1, 2, [20_000, 40_000]),
    cell(minute, 4, []),
    cell(minute - 1440, 3, []),
  ])
  assert.deepEqual(usedBy(tally, now), [3, 8])
  assert.deepEqual(usedBy(tally, now + 30_000), [2, 8])
  const last = start + 2 * minuteMs - 1
  assert.deepEqual(Tally.of([cell(minute, 1, [59_999])], last).cells(7), [cell(minute, 1, [59_999])])
  assert.deepEqual(Tally.of([cell(minute, 1, [59_999])], last + 1).cells(7), [cell(minute, 1, [])])
})

test("cells are unsaved from the first change on, until they are taken, and again when they are put back", () => {
  const minute = start / minuteMs
  const tally = tallyOf(start, start + minuteMs)
  const minutes = () => tally.takeUnsaved(7).map((one) => one.minute - minute)
  assert.deepEqual([minutes(), minutes()], [[1, 0], []])
  tally.add(start + 2 * minuteMs)
  assert.deepEqual(minutes(), [2])
  for (const one of [2, 1]) tally.putBack(cell(minute + one, 1, []))
  tally.add(start + 3 * minuteMs)
  assert.deepEqual([minutes(), minutes()], [[3, 2, 1], []])
})

test("a tally is idle when all is stored and nothing was counted since a moment", () => {
  const tally = tallyOf(start)
  assert.equal(tally.idleSince(start + 1), false, "not stored")
  const [taken] = tally.takeUnsaved(7)
  assert.deepEqual([tally.idleSince(start), tally.idleSince(start + 1)], [false, true])
  if (taken) tally.putBack(taken)
  assert.equal(tally.idleSince(start + 1), false, "put back")
  assert.equal(new Tally().idleSince(1), true)
})
