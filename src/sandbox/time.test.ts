import assert from "node:assert/strict"
import { test } from "node:test"
import { manualClock } from "../../test/harness/clock.ts"
import type { Store } from "../domain/ports/store.ts"
import { sandboxClocks } from "./clock.ts"
import { sandboxTime } from "./time.ts"

const start = Date.UTC(2026, 0, 1)
const at = (ms: number) => new Date(start + ms).toISOString()

type Given = { dueAt?: number[]; waitingSince?: number[]; placedOrdersMs?: number | undefined }

/** The time of a sandbox in which messages and orders are due at these milliseconds after its start. */
function timeOf(given: Given = {}) {
  const { dueAt = [], waitingSince = [] } = given
  const placedOrdersMs = "placedOrdersMs" in given ? given.placedOrdersMs : 1_000_000
  const real = manualClock(start)
  const clocks = sandboxClocks({ clock: real, steady: real.steady }, { start: { at: undefined, isFrozen: false } })
  const { clock } = clocks
  const now = () => clock.now() - start
  const log: string[] = []
  const due = [...dueAt]
  const orders = [...waitingSince]
  const state = {
    attempts: 100,
    isAttempting: false,
    idle: Promise.resolve(),
    passTime: () => {},
    looksAhead: () => {},
  }
  const store = {
    keys: {
      countExpiring: async (from: number, to: number, max: number) =>
        log.push(`keys ${from - start} ${to - start} ${max}`) && 3,
    },
    deliveries: {
      due: async (lane: string) => (lane === "quick" && due[0] !== undefined ? [{ dueAt: start + due[0] }] : []),
    },
    orders: {
      async waiting() {
        state.looksAhead()
        return orders[0] === undefined ? [] : [{ since: start + orders[0] }]
      },
    },
  }
  const time = sandboxTime({
    clocks,
    store: store as unknown as Store,
    worker: {
      async tick() {
        log.push(`tick ${now()}`)
        while (due[0] !== undefined && due[0] <= now()) {
          due.shift()
          state.attempts++
        }
      },
      idle: () => state.idle,
      attempts: () => state.attempts,
      isAttempting: () => state.isAttempting,
    },
    async cancelStaleOrders() {
      const before = orders.length
      while (orders[0] !== undefined && orders[0] + (placedOrdersMs ?? 0) < now()) orders.shift()
      return before - orders.length
    },
    async forgetOld() {
      log.push(`forget ${now()}`)
    },
    limitAdvance: (ended) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      state.passTime = resolve
      const end = () => reject(new Error("ended"))
      if (ended.aborted) end()
      else ended.addEventListener("abort", end)
      return promise
    },
    placedOrdersMs,
  })
  return { time, clock, log, state, real }
}

const read = (ms: number, frozen = false) => ({ time: at(ms), aheadSeconds: Math.round(ms / 1000), frozen })
const by = (ms: number) => (now: number) => now + ms

test("an advance does what is due at its time, and old data are forgotten before and after", async () => {
  const { time, log, real } = timeOf({ dueAt: [5_000, 5_200, 60_000], waitingSince: [0, 3_600_000] })
  assert.deepEqual(time.read(), read(0))
  const advanced = await time.advance(by(1_000_500))
  assert.deepEqual(advanced, {
    ...read(1_000_500),
    isComplete: true,
    deliveriesAttempted: 3,
    keysExpired: 3,
    ordersCancelled: 1,
  })
  assert.deepEqual(log, [
    "forget 0",
    "tick 0",
    "tick 5000",
    "tick 6000",
    "tick 60000",
    "tick 1000001",
    "tick 1000500",
    "forget 1000500",
    "keys 0 1000500 10000",
  ])
  real.advance(1000)
  assert.deepEqual(time.read(), { ...read(1_001_500), aheadSeconds: 1001 })
})

test("when nothing is due, an advance is one step; without a limit orders are never due", async () => {
  const { time, log } = timeOf({ waitingSince: [0], placedOrdersMs: undefined })
  await time.advance(by(10_000_000))
  assert.deepEqual(log.slice(1, 3), ["tick 0", "tick 10000000"])
  const still = await time.advance(by(0))
  assert.deepEqual([still?.time, still?.isComplete], [at(10_000_000), true])
  const back = await time.advance(by(-5))
  assert.equal(back?.time, at(10_000_000), "time does not go back")
})

test("an advance can freeze the time before, or let it run afterwards", async () => {
  const { time, real, clock } = timeOf()
  const frozen = await time.advance(by(5000), true)
  assert.equal(frozen?.frozen, true)
  real.advance(1000)
  assert.deepEqual(time.read(), { time: at(5000), aheadSeconds: 4, frozen: true })
  assert.equal((await time.advance(by(1000)))?.frozen, true)
  assert.equal((await time.advance(by(0), false))?.frozen, false)
  real.advance(1000)
  assert.equal(clock.now(), start + 7000)
})

test("an advance ends as far as it came when it takes too long", async () => {
  const { time, state } = timeOf()
  state.idle = new Promise(() => {})
  for (const ms of [5000, 1]) {
    const advancing = time.advance(by(ms))
    await new Promise((resolve) => setImmediate(resolve))
    state.passTime()
    const advanced = await advancing
    assert.deepEqual([advanced?.time, advanced?.isComplete], [at(0), false])
  }
})

test("an advance by a millisecond is one, and one that is ended while it looks ahead takes no further step", async () => {
  const { time, state } = timeOf()
  assert.equal((await time.advance(by(1)))?.time, at(1))
  state.looksAhead = time.endAdvances
  assert.equal((await time.advance(by(5000)))?.time, at(1))
})

test("an advance that is ended stays as far as it came, and neither freezes nor thaws; the next one is not ended", async () => {
  for (const freeze of [true, false]) {
    const { time, state } = timeOf()
    state.idle = new Promise(() => {})
    const first = time.advance(by(5000))
    const second = time.advance(by(5000), freeze)
    time.endAdvances()
    assert.deepEqual([(await first)?.isComplete, (await second)?.isComplete], [false, false])
    assert.deepEqual(time.read(), read(0))
    state.idle = Promise.resolve()
    assert.deepEqual((await time.advance(by(5000)))?.isComplete, true)
  }
})

test("advances take place one after the other, but none beside one that waits for a receiver", async () => {
  const { time, state } = timeOf()
  const targets: number[] = []
  const to = (ms: number) => (now: number) => {
    targets.push(now - start)
    return now + ms
  }
  const first = time.advance(to(2000))
  state.isAttempting = true
  assert.equal(await time.advance(to(1)), undefined)
  state.isAttempting = false
  const second = time.advance(to(3000))
  await Promise.all([first, second])
  assert.deepEqual(targets, [0, 2000])
  state.isAttempting = true
  assert.equal((await time.advance(to(1000)))?.time, at(6000))
})

test("a refused advance changes nothing, and others follow", async () => {
  const { time } = timeOf()
  const refuse = () => {
    throw new Error("refused")
  }
  await assert.rejects(time.advance(refuse, true), /refused/)
  assert.deepEqual(time.read(), read(0))
  assert.equal((await time.advance(by(1000)))?.time, at(1000))
})
