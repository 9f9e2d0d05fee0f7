import assert from "node:assert/strict"
import { test } from "node:test"
import type { RecordedRequest } from "../journal/contract.ts"
import { describeAttempts, describeChange } from "./attempt-words.ts"

const request: RecordedRequest = {
  id: 3,
  time: "2026-01-01T00:00:00.000Z",
  method: "POST",
  path: "/api/v3/pet",
  durationMs: 1,
  request: { headers: {} },
  response: { headers: {} },
}

test("attempts are one line, and a request that was sent once has none", () => {
  const attempts = [
    { id: 1, outcome: "503" },
    { id: 2, outcome: "lost", waitedMs: 1000 },
    { id: 3, outcome: "200", waitedMs: 2340 },
  ]
  assert.equal(
    describeAttempts({ ...request, attempts, bodiesEqual: true, keysEqual: true }),
    "3 attempts: 503, lost, 200 · bodies equal · keys equal · waited 1.0 s, 2.3 s",
  )
  assert.equal(
    describeAttempts({ ...request, attempts: attempts.slice(0, 2), bodiesEqual: false, keysEqual: false }),
    "2 attempts: 503, lost · bodies differ · keys differ · waited 1.0 s",
  )
  assert.equal(describeAttempts({ ...request, attempts: attempts.slice(1) }), "2 attempts: lost, 200 · waited 2.3 s")
  for (const once of [request, { ...request, attempts: attempts.slice(2) }])
    assert.equal(describeAttempts(once), undefined)
})

test("of many attempts the first ten are named", () => {
  const attempts = Array.from({ length: 12 }, (_, n) => ({ id: n, outcome: String(200 + n), waitedMs: 100 }))
  const named = Array.from({ length: 10 }, (_, n) => 200 + n).join(", ")
  assert.equal(
    describeAttempts({ ...request, attempts }),
    `12 attempts: ${named} and 2 more · waited ${"0.1 s, ".repeat(9)}0.1 s and 1 more`,
  )
})

test("a change has both texts, or says which is absent", () => {
  assert.equal(describeChange({ pointer: "/headers/a", before: "1", after: "" }), "/headers/a: 1 → ")
  assert.equal(describeChange({ pointer: "/body/a", after: "2" }), "/body/a: none → 2")
  assert.equal(describeChange({ pointer: "/body" }), "/body differs")
})
