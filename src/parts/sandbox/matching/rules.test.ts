import assert from "node:assert/strict"
import { test } from "node:test"
import type { RecordedRequest } from "../journal/contract.ts"
import type { RequestMatcher } from "./contract.ts"
import { differencesOf, isSought, maybeSought } from "./rules.ts"

const one: RecordedRequest = {
  id: 1,
  time: "2026-01-01T00:00:00.000Z",
  method: "POST",
  path: "/api/v3/pet/1?a=1\n2",
  status: 404,
  durationMs: 1,
  operation: "addPet",
  caller: "key 12",
  request: { headers: { "idempotency-key": "a:b", accept: "" }, body: "Rex the first" },
  response: { headers: { etag: "x" }, body: "Bella" },
}

for (const [wanted, holds] of [
  [{}, true],
  [{ operation: "addPet" }, true],
  [{ operation: "addPets" }, false],
  [{ method: "post" }, true],
  [{ method: "PUT" }, false],
  [{ path: "/pet/1" }, true],
  [{ path: "/pet/*" }, true],
  [{ path: "/pet/12" }, false],
  [{ key: 12 }, true],
  [{ key: 1 }, false],
  [{ status: "404" }, true],
  [{ status: "4xx" }, true],
  [{ status: "400" }, false],
  [{ status: "2xx" }, false],
  [{ status: "04" }, false],
  [{ header: "Idempotency-Key" }, true],
  [{ header: "etag" }, false],
  [{ header: " idempotency-key : a:b " }, true],
  [{ header: "idempotency-key: a" }, false],
  [{ header: "accept:" }, true],
  [{ header: "accept" }, true],
  [{ header: "idempotency-key:" }, false],
  [{ text: "the f" }, true],
  [{ text: "Bella" }, false],
] as [RequestMatcher, boolean][])
  test(`a request ${holds ? "has" : "does not have"} ${JSON.stringify(wanted)}`, () => {
    assert.deepEqual(differencesOf(one, wanted), holds ? [] : Object.keys(wanted))
    assert.equal(isSought(one, wanted), holds)
    const isKnown = ["operation", "method", "key", "status"].some((name) => name in wanted)
    assert.equal(maybeSought(one, wanted), holds || !isKnown, "without what was sent")
  })

test("what a request lacks differs from any value, and each difference counts", () => {
  const wanted = { operation: "addPet", path: "/pet", key: 1, status: "5xx", header: "a", text: "", method: "GET" }
  assert.deepEqual(differencesOf({}, wanted).sort(), Object.keys(wanted).sort())
  assert.deepEqual(differencesOf(one, { text: "z", method: "POST", key: 3 }).sort(), ["key", "text"])
})
