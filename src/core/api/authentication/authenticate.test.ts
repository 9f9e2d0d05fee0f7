import assert from "node:assert/strict"
import { test } from "node:test"
import { bearerOf } from "./authenticate.ts"

test("a bearer token follows its scheme in any case, and has no spaces", () => {
  const tokens = [
    "Bearer a",
    "bearer  a.b~c+/d==",
    "Bearer",
    "Bearer a b",
    "Bearer =",
    "Basic a",
    undefined,
    "x Bearer a",
  ]
  assert.deepEqual(tokens.map(bearerOf), [
    "a",
    "a.b~c+/d==",
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})
