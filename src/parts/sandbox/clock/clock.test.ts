import assert from "node:assert/strict"
import { test } from "node:test"
import { manualClock } from "../../../../test/harness/clock.ts"
import type { ClockStart } from "../model.ts"
import { type ClocksState, sandboxClocks } from "./clock.ts"
import { restoreClocks, saveClocks } from "./saved-clocks.ts"

const start = Date.UTC(2026, 0, 1)

/** The clocks of a sandbox of which the monotonic one of the process began a day earlier. */
function clocksOf(first: ClockStart, hands?: ClocksState["hands"]) {
  const clock = manualClock(start)
  const steady = manualClock(start - 86_400_000)
  const clocks = sandboxClocks({ clock, steady }, { start: first, ...(hands && { hands }) })
  const advance = (ms: number) => {
    clock.advance(ms)
    steady.advance(ms)
  }
  return {
    clocks,
    advance,
    real: { clock, steady },
    both: () => [clocks.clock.now() - start, clocks.steady.now() - start],
  }
}

const realTime = { at: undefined, isFrozen: false }

test("both clocks run with those of the process, and are advanced and frozen together", () => {
  const { clocks, advance, both } = clocksOf(realTime)
  advance(10)
  assert.deepEqual([both(), clocks.aheadMs()], [[10, 10 - 86_400_000], 0])
  clocks.advance(5)
  assert.deepEqual([both(), clocks.aheadMs()], [[15, 15 - 86_400_000], 5])
  clocks.setFrozen(true)
  advance(100)
  assert.deepEqual([both(), clocks.aheadMs(), clocks.clock.isFrozen()], [[15, 15 - 86_400_000], -95, true])
  clocks.advance(1)
  clocks.setFrozen(false)
  advance(2)
  assert.deepEqual([both(), clocks.aheadMs(), clocks.steady.isFrozen()], [[18, 18 - 86_400_000], -94, false])
})

test("with a start both have its time, and a reset returns to it unless it fails", async () => {
  const { clocks, advance, both } = clocksOf({ at: start + 1000, isFrozen: false })
  assert.deepEqual(both(), [1000, 1000])
  advance(10)
  clocks.advance(50)
  const fail = clocks.fromStart(async () => {
    assert.deepEqual(both(), [1000, 1000])
    throw new Error("failed")
  })
  await assert.rejects(fail, /failed/)
  assert.deepEqual(both(), [1060, 1060])
  assert.equal(await clocks.fromStart(async () => "done"), "done")
  assert.deepEqual(both(), [1000, 1000])
  const frozen = clocksOf({ at: undefined, isFrozen: true })
  frozen.advance(10)
  assert.deepEqual(frozen.both(), [0, -86_400_000])
})

test("clocks continue where their state has them, also from a file", () => {
  const { clocks, advance } = clocksOf({ at: start + 1000, isFrozen: true })
  clocks.advance(500)
  const { start: first, hands } = clocks.state()
  const copy = clocksOf(first, hands)
  assert.deepEqual(copy.both(), [1500, 1500])
  clocks.setFrozen(false)
  advance(0.75)
  const saved = saveClocks(clocks)
  const time = start + 1500
  assert.deepEqual(saved, { time, steady: time, frozen: false, start: start + 1000, startsFrozen: true })
  const { real } = clocksOf(realTime)
  const restored = sandboxClocks(real, restoreClocks(real, saved))
  assert.deepEqual([restored.clock.now(), restored.steady.now(), restored.clock.isFrozen()], [time, time, false])
  assert.deepEqual(restored.state().start, { at: start + 1000, isFrozen: true })
  const unplanned = saveClocks(clocksOf(realTime).clocks)
  assert.equal(unplanned.start, null)
  assert.deepEqual(restoreClocks(real, { ...unplanned, frozen: true }), {
    start: realTime,
    hands: [{ frozenAt: unplanned.time }, { frozenAt: unplanned.steady }],
  })
})
