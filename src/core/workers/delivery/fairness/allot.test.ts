import assert from "node:assert/strict"
import { test } from "node:test"
import { allot } from "./allot.ts"
import { capacity } from "./attempt-limits.ts"
import type { RunningAttempt } from "./occupancy.ts"

const nothing = { quick: [], new: [], slow: [] }
const dueAt = (accountId: number, count: number, from = accountId * 1000) =>
  Array.from({ length: count }, (_, n) => ({ webhookId: from + n, accountId }))
const sum = (given: { count: number }[]) => given.reduce((total, { count }) => total + count, 0)
const under = (
  count: number,
  lane: RunningAttempt["lane"],
  since: number,
  accountId = 1,
  from = accountId * 1000,
): RunningAttempt[] =>
  Array.from({ length: count }, (_, n) => ({ webhookId: from + n, accountId, lane, since, isHeld: false }))
const everything = 100_000

test("accounts get equal shares, and so do webhooks within an account", () => {
  const due = { ...nothing, quick: [...dueAt(1, 50), ...dueAt(2, 2), ...dueAt(3, 1)] }
  const given = allot(due, [], 0, capacity, 9)
  const of = (accountId: number) => sum(given.filter((webhook) => webhook.accountId === accountId))
  assert.deepEqual([of(1), of(2), of(3)], [3, 3, 3])
  for (const max of [0, 1, 8]) assert.equal(sum(allot(due, [], 0, capacity, max)), max, "at most")
  assert.equal(given.filter(({ accountId }) => accountId === 1).length, 3, "each a webhook of its own")
})

test("an account without running attempts comes first", () => {
  const due = { ...nothing, quick: [...dueAt(1, 2), ...dueAt(2, 1)] }
  const [first] = allot(due, under(1, "quick", 0), 0, capacity, 1)
  assert.equal(first?.accountId, 2)
  const [own] = allot({ ...nothing, quick: dueAt(1, 2) }, under(1, "quick", 0), 0, capacity, 1)
  assert.equal(own?.webhookId, 1001)
})

test("a new receiver gets one attempt, a failing or slow one two, a quick one its share", () => {
  for (const lane of ["new", "slow", "quick"] as const)
    assert.equal(
      sum(allot({ ...nothing, [lane]: dueAt(1, 1) }, [], 0, capacity, everything)),
      capacity.perWebhook[lane],
      lane,
    )
})

test("a held message gives its place back to its webhook and its lane, and still counts towards its account", () => {
  const hold = (running: RunningAttempt[]) => running.map((one) => ({ ...one, isHeld: true }))
  const due = { ...nothing, new: dueAt(1, 1) }
  assert.equal(sum(allot(due, under(1, "new", 0), 0, capacity, everything)), 0)
  assert.equal(sum(allot(due, hold(under(1, "new", 0)), everything, capacity, everything)), 1)
  assert.equal(sum(allot(due, hold(under(capacity.perAccountInAll, "new", 0)), 0, capacity, everything)), 0)
})

test("slow receivers of any number of accounts leave most of the capacity, and so do new ones", () => {
  const many = (accounts: number) => Array.from({ length: accounts }, (_, n) => dueAt(n + 1, 50)).flat()
  assert.equal(sum(allot({ ...nothing, slow: many(200) }, [], 0, capacity, everything)), capacity.lane.slow)
  assert.equal(sum(allot({ ...nothing, new: many(300) }, [], 0, capacity, everything)), capacity.lane.new)

  const stalled = Array.from({ length: 7 }, (_, n) => under(100, "new", 0, n + 1))
  const running = stalled.flat().slice(0, capacity.total.new)
  assert.deepEqual(allot({ ...nothing, new: dueAt(90, 1) }, running, 5000, capacity, everything), [])
  assert.deepEqual(allot({ ...nothing, slow: dueAt(90, 1) }, running, 5000, capacity, everything), [])
  assert.equal(sum(allot({ ...nothing, quick: dueAt(90, 1) }, running, 5000, capacity, everything)), 16)
})

test("an attempt that takes 500 ms releases its place within a second", () => {
  const running = [1, 2, 3].flatMap((account) => under(100, "new", 0, account)).slice(0, capacity.lane.new)
  const due = { ...nothing, new: dueAt(90, 10) }
  assert.equal(sum(allot(due, running, 500, capacity, everything)), 0)
  assert.equal(sum(allot(due, running, 501, capacity, everything)), 10)
})

test("a quick receiver that stalls gets no more attempts until it responds", () => {
  const due = { ...nothing, quick: dueAt(1, 1) }
  const running = Array.from({ length: 2 }, () => under(1, "quick", 0)).flat()
  assert.equal(sum(allot(due, running, 500, capacity, everything)), 14)
  assert.equal(sum(allot(due, running, 501, capacity, everything)), 0)
})

test("the reserve of a lane is for accounts without running attempts in it", () => {
  const slow = Array.from({ length: 6 }, (_, n) => under(16, "slow", 0, n + 1)).flat()
  const due = { ...nothing, slow: [...dueAt(1, 1, 5000), ...dueAt(7, 20)] }
  assert.deepEqual(
    allot(due, slow, 0, capacity, everything).map(({ accountId, count }) => [accountId, count]),
    [[7, 1]],
  )
})

test("no account exceeds its total share, even if its webhooks are deleted", () => {
  const running = [...under(100, "new", 0), ...under(96, "new", 0, 1, 5000)]
  assert.deepEqual(allot({ ...nothing, new: dueAt(1, 5, 9000) }, running, 5000, capacity, everything), [])
})

test("a webhook without running attempts has capacity in its account, even if the account's others use up theirs", () => {
  const others = [...under(99, "new", 0), ...Array.from({ length: 6 }, () => under(16, "quick", 0)).flat()]
  const due = { ...nothing, quick: [...dueAt(1, 16), ...dueAt(1, 1, 7000)] }
  const given = allot(due, others, 5000, capacity, everything)
  assert.deepEqual(
    given.map(({ webhookId, count }) => [webhookId, count]),
    [[7000, 1]],
  )
})

test("the reserve of the capacity is for accounts without running attempts", () => {
  const running = Array.from({ length: 8 }, (_, n) => under(96, "quick", 0, n + 1)).flat()
  const due = { ...nothing, quick: [...dueAt(1, 1, 7000), ...dueAt(90, 1)] }
  assert.deepEqual(
    allot(due, running, 5000, capacity, everything).map(({ accountId, count }) => [accountId, count]),
    [[90, 1]],
  )
})
