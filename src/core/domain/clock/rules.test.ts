import assert from "node:assert/strict"
import { test } from "node:test"
import { isNear, judgeClock } from "./rules.ts"

const day = 24 * 3_600_000
const at = 1_000 * day
const believed = (now: number) => ({ checkedAt: now, trustedAt: now, doubtedSince: undefined })

test("times are near within a day in both directions", () => {
  assert.deepEqual(
    [isNear(at, at + day), isNear(at, at - day), isNear(at, at + day + 1), isNear(at, at - day - 1)],
    [true, true, false, false],
  )
})

test("a clock is trusted at first and near a trusted time, and doubted after a jump", () => {
  const last = believed(at)
  for (const now of [at, at + day, at - day]) {
    assert.deepEqual(judgeClock(undefined, now), believed(now))
    assert.deepEqual(judgeClock(last, now), believed(now))
  }
  for (const now of [at + day + 1, at - day - 1])
    assert.deepEqual(judgeClock(last, now), { checkedAt: now, trustedAt: at, doubtedSince: now })
})

test("a doubted clock is trusted after a day without another jump, or when it is corrected", () => {
  const jumped = at + 10 * day
  const doubted = { checkedAt: jumped, trustedAt: at, doubtedSince: jumped }
  const next = (now: number, last = doubted) => judgeClock(last, now)
  assert.deepEqual(next(jumped + day - 1), { checkedAt: jumped + day - 1, trustedAt: at, doubtedSince: jumped })
  assert.deepEqual(next(jumped + day), believed(jumped + day))
  assert.deepEqual(next(at + day), believed(at + day))
  const again = jumped + day + 1
  assert.deepEqual(next(again), { checkedAt: again, trustedAt: at, doubtedSince: again })
  const back = jumped - day
  assert.deepEqual(next(back), { checkedAt: back, trustedAt: at, doubtedSince: back })
})
