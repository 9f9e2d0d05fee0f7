import assert from "node:assert/strict"
import { test } from "node:test"
import { trafficCounter } from "./traffic.ts"

const minute = 60_000

test("traffic is counted in slots of five minutes, and dropped after six hours", () => {
  let now = 1_000 * 5 * minute
  const { record, recent } = trafficCounter({ now: () => now })
  for (const status of [200, 304, 404, 429, 500]) record(status)
  assert.deepEqual(recent().at(-1), { startsAt: now, requests: 5, refused: 2, failed: 1 })

  now += 15 * minute
  record(200)
  assert.equal(recent().length, 72)
  assert.deepEqual(
    recent()
      .slice(-4)
      .map(({ requests }) => requests),
    [5, 0, 0, 1],
  )

  now += 24 * 60 * minute
  assert.equal(
    recent().reduce((sum, { requests }) => sum + requests, 0),
    0,
  )
})

test("a clock that is set back creates no new slots", () => {
  let now = 1_000 * 5 * minute
  const { record, recent } = trafficCounter({ now: () => now })
  record(200)
  now -= 60 * minute
  record(200)
  assert.equal(recent().at(-1)?.requests, 2)
})

test("six hours are kept, and what fails is not refused", () => {
  let now = 1_000 * 5 * minute
  const { record, recent } = trafficCounter({ now: () => now })
  for (let n = 0; n < 73; n++) {
    record(n === 1 ? 399 : 200)
    now += 5 * minute
  }
  now -= 5 * minute
  assert.deepEqual(
    recent().map(({ requests }) => requests),
    Array(72).fill(1),
  )
  for (const status of [399, 400, 499, 500]) record(status)
  assert.deepEqual(recent().at(-1), { startsAt: now, requests: 5, refused: 2, failed: 1 })
})
