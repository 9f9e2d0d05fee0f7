import assert from "node:assert/strict"
import { test } from "node:test"
import { Missed } from "../../../examiner/verdict.ts"
import { expectEventually, type ObservedTask } from "../exam/task.ts"
import type { RecordedRequest } from "../journal/contract.ts"
import { observe } from "./observe.ts"

const start = Date.UTC(2026, 0, 1)
const sent: RecordedRequest = {
  id: 1,
  time: new Date(start).toISOString(),
  method: "GET",
  path: "/api/v3/pet/1",
  status: 200,
  durationMs: 500,
  request: { headers: {} },
  response: { headers: {} },
}

/** What a task says so long after the start, with one request. */
const observeAfter = (ms: number, judge: ObservedTask["judge"], isOverWhenQuiet?: true) =>
  observe(
    { name: "t", expects: "e", source: "practice", steps: [], judge, ...(isOverWhenQuiet && { isOverWhenQuiet }) },
    { requests: [sent], pets: [] },
    start + ms,
  )

const outcomesOf = async (judge: ObservedTask["judge"], isOverWhenQuiet?: true) => {
  const all = await Promise.all([500, 10_499, 10_500].map((ms) => observeAfter(ms, judge, isOverWhenQuiet)))
  return all.map(({ outcome }) => outcome)
}

test("a task is judged at once, unless a further request could change the verdict before ten quiet seconds", async () => {
  assert.deepEqual(await outcomesOf(() => undefined), ["passed", "passed", "passed"])
  assert.deepEqual(await outcomesOf(() => undefined, true), ["open", "open", "passed"])
  const missed = () => {
    throw new Missed("two were sent")
  }
  assert.deepEqual(await outcomesOf(missed), ["missed", "missed", "missed"])
  assert.deepEqual(await outcomesOf(missed, true), ["missed", "missed", "missed"])
  const awaited = () => expectEventually(false, "it was not repeated")
  assert.deepEqual(await outcomesOf(awaited), ["open", "open", "missed"])
  assert.deepEqual(await outcomesOf(awaited, true), ["open", "open", "missed"])
})

test("a verdict says what was observed, and what was sent", async () => {
  const awaited = () => expectEventually(false, "it was not repeated")
  const requests = ["+0 ms GET /api/v3/pet/1 200"]
  const [open, missed] = [await observeAfter(500, awaited), await observeAfter(20_000, awaited)]
  assert.deepEqual(open, { outcome: "open", observed: "it was not repeated", requests })
  assert.deepEqual(missed, { ...open, outcome: "missed" })
  assert.deepEqual(await observeAfter(20_000, () => undefined), { outcome: "passed" })
})

test("nothing is judged before something was sent", async () => {
  const judged: ObservedTask = { name: "t", expects: "e", source: "practice", steps: [], judge: () => assert.fail() }
  const { outcome } = await observe(judged, { requests: [], pets: [] }, start)
  assert.equal(outcome, "open")
})
