import assert from "node:assert/strict"
import { test } from "node:test"
import { manualClock } from "../../../test/harness/petstore.ts"
import { memoryAttempts } from "./attempts.ts"

const windowMs = 60_000

test("as many tries as allowed fit into any window, wherever it starts", async () => {
  const clock = manualClock()
  const attempts = memoryAttempts(clock)
  const tried = [{ name: "a", max: 3 }]
  const admit = () => attempts.admit(tried, windowMs)
  for (const ms of [0, 10_000, 20_000]) {
    clock.advance(ms)
    assert.equal(await admit(), undefined)
  }
  assert.equal(await admit(), 30_000)
  clock.advance(29_999)
  assert.equal(await admit(), 1)
  clock.advance(1)
  assert.equal(await admit(), undefined)
  assert.equal(await admit(), 10_000)
})

test("a try is counted under all of its names or under none", async () => {
  const attempts = memoryAttempts(manualClock())
  const wide = { name: "wide", max: 2 }
  assert.equal(await attempts.admit([wide, { name: "narrow", max: 1 }], windowMs), undefined)
  assert.equal(await attempts.admit([wide, { name: "narrow", max: 1 }], windowMs), windowMs)
  assert.equal(await attempts.admit([wide], windowMs), undefined)
  assert.equal(await attempts.admit([wide], windowMs), windowMs)
})

test("a try that was no guess is not counted", async () => {
  const attempts = memoryAttempts(manualClock())
  const tried = [{ name: "a", max: 1 }]
  for (let n = 0; n < 3; n++) {
    assert.equal(await attempts.admit(tried, windowMs), undefined)
    await attempts.forgive(tried)
  }
})

test("what is remembered has a bound, and the names untried for longest go first", async () => {
  const attempts = memoryAttempts(manualClock())
  const admit = (name: string) => attempts.admit([{ name, max: 1 }], windowMs)
  await admit("first")
  for (let n = 0; n < 20_000; n++) await admit(`name ${n}`)
  assert.equal(await admit("first"), undefined)
  assert.equal(await admit("name 19999"), windowMs)
})
