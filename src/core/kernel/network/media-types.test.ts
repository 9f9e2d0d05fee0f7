import assert from "node:assert/strict"
import { test } from "node:test"
import { isJsonType } from "./media-types.ts"

test("a body is one JSON value if its type is JSON or has that suffix", () => {
  const types = [
    "application/json",
    "application/problem+json",
    "application/x-ndjson",
    "text/json",
    "application/jsons",
  ]
  assert.deepEqual(types.map(isJsonType), [true, true, false, false, false])
})
