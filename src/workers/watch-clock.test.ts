import assert from "node:assert/strict"
import { test } from "node:test"
import type { ClockCheck } from "../domain/clock/model.ts"
import type { Database } from "../domain/ports/store.ts"
import { watchClock } from "./watch-clock.ts"

const hour = 3_600_000
const day = 24 * hour

/** A watch over a clock, whose last check and database a test sets. */
function watched(isShared = false) {
  const state = { now: 100 * day, databaseTime: 100 * day, last: undefined as ClockCheck | undefined, fails: false }
  const lines: string[] = []
  const tx = {
    clockChecks: {
      read: async () => state.last,
      async put(check: ClockCheck) {
        state.last = check
      },
      databaseTime: async () => {
        assert.ok(isShared, "one clock is enough")
        return state.databaseTime
      },
    },
  }
  const store = {
    isShared,
    transaction: (work: (parts: unknown) => Promise<unknown>) =>
      state.fails ? Promise.reject(new Error("away")) : work(tx),
  } as unknown as Database
  const watch = watchClock({
    store,
    clock: { now: () => state.now },
    log: {
      info: (text: unknown) => void lines.push(String(text)),
      warn: (facts: unknown, text?: string) => void lines.push(`${JSON.stringify(facts)} ${text?.slice(0, 50)}`),
    },
  })
  const check = async () => {
    await watch.check()
    return [watch.isTrusted(), watch.isDoubted(), ...lines.splice(0)]
  }
  return { state, watch, check }
}

const again = "the clock is trusted again: removal by age continues"

test("a clock is trusted within a day of the last round, and a jump is reported once with the time of that round", async () => {
  const { state, watch, check } = watched()
  assert.deepEqual([watch.isTrusted(), watch.isDoubted()], [false, false], "before a check")
  assert.deepEqual(await check(), [true, false])
  state.now += day
  assert.deepEqual(await check(), [true, false])
  state.now += day + 1
  const doubt = `{"lastRound":"${new Date(101 * day).toISOString()}"} the clock is more than 24 hours from the last roun`
  assert.deepEqual(await check(), [false, true, doubt])
  assert.deepEqual(await check(), [false, true], "once")
  state.now += day - 1
  assert.deepEqual(await check(), [false, true])
  state.now += 1
  assert.deepEqual(await check(), [true, false, again])
  assert.deepEqual(await check(), [true, false])
})

test("a clock that differs from that of a shared database is doubted, and not stored", async () => {
  const { state, check } = watched(true)
  assert.deepEqual(await check(), [true, false])
  const stored = state.last
  state.now += day + 1
  const doubt = `{"databaseTime":"${new Date(100 * day).toISOString()}"} the clock is more than 24 hours from that of the d`
  assert.deepEqual(await check(), [false, true, doubt])
  assert.deepEqual(state.last, stored)
  state.databaseTime = state.now + day
  state.last = undefined
  assert.deepEqual(await check(), [true, false, again])
})

test("a check that fails trusts nothing, and after its verdict is forgotten the next doubt is reported", async () => {
  const { state, watch, check } = watched()
  await check()
  state.fails = true
  await assert.rejects(watch.check())
  assert.deepEqual([watch.isTrusted(), watch.isDoubted()], [false, false])
  state.fails = false
  state.now += 2 * day
  assert.equal((await check()).length, 3)
  watch.forget()
  assert.deepEqual([watch.isTrusted(), watch.isDoubted()], [false, false])
  assert.equal((await check()).length, 3, "another process may have reported it, this one has not")
})
