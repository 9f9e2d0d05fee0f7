import assert from "node:assert/strict"
import { test } from "node:test"
import { onDemand } from "./on-demand.ts"

test("work runs on request, never twice at once, and once more for requests meanwhile", async () => {
  const ends: (() => void)[] = []
  const work = onDemand(() => new Promise<void>((end) => ends.push(end)))
  assert.deepEqual([work.underWay(), ends.length], [undefined, 0])
  work.ask()
  const underWay = work.underWay()
  assert.ok(underWay)
  work.ask()
  work.ask()
  assert.equal(ends.length, 1)
  ends[0]?.()
  await new Promise(setImmediate)
  assert.deepEqual([ends.length, work.underWay() === underWay], [2, true])
  ends[1]?.()
  await underWay
  assert.deepEqual([work.underWay(), ends.length], [undefined, 2])
  work.ask()
  assert.equal(ends.length, 3)
  ends[2]?.()
  await work.underWay()
})
