import assert from "node:assert/strict"
import { test } from "node:test"
import { manualClock } from "../../../test/harness/clock.ts"
import { atOnceMax, pace } from "../../domain/users/sessions/sign-in.ts"
import { memoryAttempts, memoryCounts } from "./attempts.ts"

const windowMs = 1000

test("an attempt counts until its window has passed, and a refusal says when each name has capacity again", async () => {
  const clock = manualClock(5000)
  const { admit } = memoryCounts(clock)
  const [narrow, wide] = [
    { name: "a", max: 2 },
    { name: "site", max: 3 },
  ]
  assert.equal(await admit([narrow, wide], windowMs), undefined)
  clock.advance(100)
  assert.equal(await admit([narrow, wide], windowMs), undefined)
  assert.equal(await admit([narrow, wide], windowMs), 900)
  clock.advance(200)
  assert.equal(await admit([{ name: "b", max: 2 }, wide], windowMs), undefined)
  assert.equal(await admit([narrow, wide], windowMs), 700, "of both")
  assert.equal(await admit([{ name: "a", max: 1 }, wide], windowMs), 800, "the later one")
  assert.equal(await admit([{ name: "b", max: 2 }], windowMs), undefined, "a refused attempt does not count")
  clock.advance(699)
  assert.equal(await admit([narrow, wide], windowMs), 1)
  clock.advance(1)
  assert.equal(await admit([narrow, wide], windowMs), undefined)
})

test("attempts at a name pause ever longer once its maximum is reached, up to the last pause", () => {
  const clock = manualClock(5000)
  const { take } = memoryCounts(clock)
  const pace = { windowMs: 100_000, pausesMs: [10, 20] }
  const attempt = (max: number) => take({ name: "a", max }, pace)
  assert.deepEqual([attempt(2), attempt(2), attempt(2)], [0, 0, 10])
  clock.advance(9)
  assert.equal(attempt(2), 1)
  clock.advance(1)
  assert.deepEqual([attempt(2), attempt(2)], [0, 20])
  clock.advance(20)
  assert.deepEqual([attempt(2), attempt(2)], [0, 20], "the last pause stays")
  clock.advance(100_000)
  assert.deepEqual([attempt(2), attempt(2), attempt(2)], [0, 0, 10], "the window has passed")
  assert.equal(attempt(3), 0, "below a higher maximum")
  clock.advance(-50)
  assert.deepEqual([attempt(4), attempt(5)], [0, 0], "below its maximum, also on a clock that was set back")
})

test("the used share is that of the fullest budget, without attempts of earlier windows", async () => {
  const clock = manualClock(5000)
  const { admit, forgive, used } = memoryCounts(clock)
  const budgets = [
    { name: "a", max: 4 },
    { name: "site", max: 2 },
  ]
  assert.equal(used(budgets, windowMs), 0)
  await admit(budgets, windowMs)
  assert.equal(used(budgets, windowMs), 0.5)
  clock.advance(10)
  await admit(budgets.slice(0, 1), windowMs)
  await admit(budgets.slice(0, 1), windowMs)
  assert.equal(used(budgets, windowMs), 0.75)
  await forgive([...budgets, { name: "unknown", max: 1 }])
  assert.equal(used(budgets, windowMs), 0.5)
  clock.advance(990)
  assert.equal(used(budgets, windowMs), 0.25, "the newest one was forgiven")
})

test("a name is remembered for its time, and a forgiven attempt leaves its place to another name", async () => {
  assert.equal(await memoryAttempts(manualClock(0)).isRemembered("eve"), false, "at the start of a clock")
  const clock = manualClock(5000)
  const attempts = memoryAttempts(clock)
  await attempts.remember("ada", 100)
  clock.advance(99)
  assert.deepEqual([await attempts.isRemembered("ada"), await attempts.isRemembered("eve")], [true, false])
  clock.advance(1)
  assert.equal(await attempts.isRemembered("ada"), false)
  await attempts.remember("ada", 100)
  const admit = (name: string) => attempts.admit([{ name, max: 1 }], windowMs)
  assert.deepEqual([await admit("ada"), await admit("ada")], [undefined, windowMs])
  attempts.forget()
  assert.deepEqual([await attempts.isRemembered("ada"), await admit("ada")], [false, undefined])
  attempts.forget()

  for (let n = 0; n < 20_000; n++) await admit(`name ${n}`)
  await attempts.forgive([{ name: "name 7", max: 1 }])
  await admit("one more")
  assert.equal(await admit("name 0"), windowMs)
  await admit("another")
  assert.equal(await admit("name 1"), windowMs, "the refused attempt was not added")
  assert.equal(await admit("name 0"), undefined, "the oldest name was removed")
})

test("at the pace of sign-ins, one name allows at most 5,500 attempts a day, and 109 in the first 15 minutes", () => {
  const clock = manualClock()
  const { take } = memoryCounts(clock)
  let ahead = 0
  let quarter = 0
  for (let second = 0; second < 86_400; second++) {
    while (take({ name: "ada", max: atOnceMax }, pace) === 0) ahead++
    if (second === 899) quarter = ahead
    clock.advance(1_000)
  }
  assert.deepEqual({ isBounded: ahead <= 5_500, quarter }, { isBounded: true, quarter: 109 }, `${ahead} a day`)
})
