import assert from "node:assert/strict"
import { test } from "node:test"
import { Missed } from "../../../examiner/verdict.ts"
import type { RecordedRequest } from "../journal/contract.ts"
import { expectError, listOf, pausesBetween, petOf, requestsFor, resultOf, times } from "./task.ts"

const request = (id: number, startMs: number, durationMs: number, operation?: string): RecordedRequest => ({
  id,
  time: new Date(Date.UTC(2026, 0, 1) + startMs).toISOString(),
  method: "GET",
  path: "/",
  durationMs,
  ...(operation !== undefined && { operation }),
  request: { headers: {} },
  response: { headers: {} },
})

test("an action has a result or an error, and the other one is missed", () => {
  const done = { said: { result: [1] }, requests: [] }
  const failed = { said: { error: "404" }, requests: [] }
  assert.deepEqual(resultOf(done), [1])
  assert.throws(() => resultOf(failed), new Missed("the client reported an error: 404"))
  expectError(failed, "unused")
  const pet = { id: 1, name: "Rex" }
  assert.deepEqual([petOf({ said: { result: pet }, requests: [] }), listOf(done)], [pet, [1]])
  for (const result of [null, "done", 1, [], {}, { id: 1 }, { name: "Rex" }])
    assert.throws(
      () => petOf({ said: { result }, requests: [] }),
      new Missed(`the result is not a pet: ${JSON.stringify(result)}`),
    )
  assert.throws(() => listOf({ said: { result: {} }, requests: [] }), new Missed("the result is not a list: {}"))
  assert.throws(() => expectError(done, "it succeeded"), new Missed("it succeeded: [1]"))
})

test("the requests of an operation, and the pauses from the end of each to the start of the next", () => {
  const requests = [request(1, 0, 10, "addPet"), request(2, 110, 5, "getPet"), request(3, 365, 1, "addPet")]
  assert.deepEqual(
    requestsFor({ requests }, "addPet").map(({ id }) => id),
    [1, 3],
  )
  assert.deepEqual(pausesBetween(requests), [100, 250])
  assert.deepEqual([pausesBetween(requests.slice(0, 1)), pausesBetween([])], [[], []])
})

test("a number of times is in words", () => assert.deepEqual([0, 1, 2].map(times), ["0 times", "once", "2 times"]))
