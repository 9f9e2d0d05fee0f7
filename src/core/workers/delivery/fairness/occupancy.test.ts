import assert from "node:assert/strict"
import { test } from "node:test"
import { oldMs, reservedForWebhooks } from "./attempt-limits.ts"
import { countRunning, type RunningAttempt } from "./occupancy.ts"

const many = 1000
/** Nothing is limited but what a test names. */
const unlimited = {
  total: { quick: many, new: many, slow: many },
  lane: { quick: many, new: many, slow: many },
  perAccount: { quick: many, new: many, slow: many },
  perWebhook: { quick: many, new: many, slow: many },
  perAccountInAll: many,
}
const now = 10_000

/** Attempts of account 1 at webhook 10, unless stated. */
const attempts = (count: number, more: Partial<RunningAttempt> = {}): RunningAttempt[] =>
  Array.from({ length: count }, () => ({
    webhookId: 10,
    accountId: 1,
    lane: "quick" as const,
    since: now,
    isHeld: false,
    ...more,
  }))

const quick = (...counts: number[]) => ({ quick: counts[0] as number, new: many, slow: many })

test("a lane is full at its own maximum, or at that of all attempts which it may see", () => {
  const isFull = (count: number, capacity: object, running = attempts(count)) =>
    countRunning(running, now, { ...unlimited, ...capacity }).isFull("quick")
  assert.deepEqual([isFull(3, { lane: quick(4) }), isFull(4, { lane: quick(4) })], [false, true])
  assert.deepEqual([isFull(3, { total: quick(4) }), isFull(4, { total: quick(4) })], [false, true])
  const inAnother = attempts(4, { lane: "new" })
  assert.deepEqual([isFull(4, { lane: quick(4) }, inAnother), isFull(4, { total: quick(4) }, inAnother)], [false, true])
})

test("an account has its share of a lane and of all, and a quarter of both is reserved for others", () => {
  const has = (count: number, capacity: object, accountId = 1, webhookId = 11) =>
    countRunning(attempts(count), now, { ...unlimited, ...capacity }).hasCapacity("quick", accountId, webhookId)
  for (const name of ["total", "lane"]) {
    // Three quarters of 10, rounded up.
    assert.deepEqual([has(7, { [name]: quick(10) }), has(8, { [name]: quick(10) })], [true, false], name)
    assert.deepEqual([has(9, { [name]: quick(10) }, 2), has(10, { [name]: quick(10) }, 2)], [true, false], name)
  }
  assert.deepEqual([has(3, { perAccount: quick(4) }), has(4, { perAccount: quick(4) })], [true, false])
  assert.ok(has(4, { perAccount: quick(4) }, 2))
})

test("of an account's attempts in all lanes, some are for webhooks without one", () => {
  const perAccountInAll = reservedForWebhooks + 5
  const has = (count: number, webhookId: number) =>
    countRunning(attempts(count, { lane: "new" }), now, { ...unlimited, perAccountInAll }).hasCapacity(
      "quick",
      1,
      webhookId,
    )
  assert.deepEqual([has(4, 10), has(5, 10)], [true, false])
  assert.deepEqual([has(perAccountInAll - 1, 11), has(perAccountInAll, 11)], [true, false])
})

test("a webhook has its share of a lane, and none while as many attempts stall as a slow one may have", () => {
  const has = (running: RunningAttempt[], perWebhook: object, webhookId = 10) =>
    countRunning(running, now, { ...unlimited, perWebhook: { ...unlimited.perWebhook, ...perWebhook } }).hasCapacity(
      "quick",
      1,
      webhookId,
    )
  assert.deepEqual([has(attempts(2), { quick: 3 }), has(attempts(3), { quick: 3 })], [true, false])
  assert.ok(has(attempts(3), { quick: 3 }, 11))
  const stalled = (count: number) => attempts(count, { since: now - oldMs - 1 })
  assert.deepEqual([has(stalled(1), { slow: 2 }), has(stalled(2), { slow: 2 })], [true, false])
  assert.ok(has(stalled(2), { slow: 2 }, 11))
})

test("an attempt that takes longer than half a second counts as slow, in any lane", () => {
  const inLanes = (since: number) => {
    const { isFull } = countRunning(attempts(1, { since }), now, {
      ...unlimited,
      lane: { quick: 1, new: 1, slow: 1 },
    })
    return (["quick", "new", "slow"] as const).filter(isFull)
  }
  assert.deepEqual(inLanes(now - oldMs), ["quick"])
  assert.deepEqual(inLanes(now - oldMs - 1), ["slow"])
})

test("a held message counts for its account and in all, and for no lane or webhook", () => {
  const held = countRunning(attempts(2, { isHeld: true, since: now - oldMs - 1 }), now, {
    ...unlimited,
    lane: { quick: 1, new: 1, slow: 1 },
    total: { quick: 3, new: 2, slow: 2 },
  })
  assert.deepEqual(
    [held.ofAccount(1), held.ofWebhook(10), held.isFull("quick"), held.isFull("slow")],
    [2, 0, false, true],
  )
  held.add("quick", 1, 10)
  assert.deepEqual([held.ofAccount(1), held.ofWebhook(10), held.isFull("quick")], [3, 1, true])
  assert.deepEqual([held.ofAccount(2), held.ofWebhook(11)], [0, 0])
})
