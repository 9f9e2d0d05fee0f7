import assert from "node:assert/strict"
import { test } from "node:test"
import { handAt, movableClock } from "./movable-clock.ts"

test("a clock that runs is ahead by exactly what it was advanced, although real time passes between two readings", () => {
  let now = 0
  const clock = movableClock({ now: () => now++ }, { aheadMs: 0 })
  clock.advance(86_400_000)
  assert.equal(clock.aheadMs(), 86_400_000)
  clock.setFrozen(true)
  const first = clock.aheadMs()
  assert.equal(clock.aheadMs(), first - 1)
})

test("a clock starts at a time or at the real one, frozen or running", () => {
  const real = { now: () => 1000 }
  for (const [start, hand, shown] of [
    [{ at: undefined, isFrozen: false }, { aheadMs: 0 }, [1000, false, 0]],
    [{ at: 400, isFrozen: false }, { aheadMs: -600 }, [400, false, -600]],
    [{ at: undefined, isFrozen: true }, { frozenAt: 1000 }, [1000, true, 0]],
    [{ at: 1500, isFrozen: true }, { frozenAt: 1500 }, [1500, true, 500]],
  ] as const) {
    assert.deepEqual(handAt(real, start), hand)
    const clock = movableClock(real, hand)
    assert.deepEqual([clock.now(), clock.isFrozen(), clock.aheadMs()], shown)
    assert.deepEqual(clock.hand(), hand)
  }
})

test("a frozen clock moves only when it is advanced, and runs on from where it was", () => {
  let now = 1000
  const clock = movableClock({ now: () => now }, { aheadMs: 50 })
  clock.setFrozen(true)
  now += 10
  clock.setFrozen(true)
  assert.deepEqual([clock.now(), clock.aheadMs()], [1050, 40])
  clock.advance(100)
  assert.deepEqual([clock.now(), clock.hand()], [1150, { frozenAt: 1150 }])
  clock.setFrozen(false)
  now += 5
  assert.deepEqual([clock.now(), clock.hand()], [1155, { aheadMs: 140 }])
  clock.setFrozen(false)
  assert.deepEqual(clock.hand(), { aheadMs: 140 })
  clock.set({ frozenAt: 7 })
  assert.equal(clock.now(), 7)
  clock.set({ aheadMs: 2 })
  assert.equal(clock.now(), now + 2)
})
