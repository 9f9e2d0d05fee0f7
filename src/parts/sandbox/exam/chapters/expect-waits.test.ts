import assert from "node:assert/strict"
import { test } from "node:test"
import { Missed } from "../../../../examiner/verdict.ts"
import type { RecordedRequest } from "../../journal/contract.ts"
import { expectWaits } from "./expect-waits.ts"

const noon = Date.UTC(2026, 0, 1, 12)

const request = (id: number, ms: number, retryAfter?: string): RecordedRequest => ({
  id,
  time: new Date(noon + ms).toISOString(),
  method: "GET",
  path: "/api/v3/pet/1",
  durationMs: 20,
  request: { headers: {} },
  response: { headers: retryAfter === undefined ? {} : { "retry-after": retryAfter } },
})

const dateAfter = (seconds: number) => new Date(noon + seconds * 1000).toUTCString()
const repeatedAfter = (retryAfter: string, ms: number) => () =>
  expectWaits([request(1, 0, retryAfter), request(2, ms, undefined)])

for (const [retryAfter, seconds] of [
  ["1", 1],
  ["4", 4],
  ["0", 0],
  [dateAfter(1), 1],
  [dateAfter(4), 4],
] as const) {
  test(`a repetition after Retry-After: ${retryAfter} comes then, at most three seconds later`, () => {
    const [due, what] = [seconds * 1000, `after Retry-After: ${retryAfter} the request was repeated`]
    for (const ms of [due - 5, due, due + 3020]) repeatedAfter(retryAfter, ms)()
    assert.throws(repeatedAfter(retryAfter, due - 6), new Missed(`${what} 6 ms too early`))
    assert.throws(repeatedAfter(retryAfter, due + 3021), new Missed(`${what} 3001 ms later`))
  })
}

test("every repetition is compared with the response before it, the first of which has the header", () => {
  const requests = [request(1, 0, "1"), request(2, 1500, "4"), request(3, 4000)]
  assert.throws(
    () => expectWaits(requests),
    new Missed("after Retry-After: 4 the request was repeated 1500 ms too early"),
  )
  expectWaits([...requests.slice(0, 2), request(3, 5500), request(4, 5501)])
  assert.throws(
    () => expectWaits([request(1, 0), request(2, 1000, "1")]),
    new Missed("the first response had no Retry-After"),
  )
})
