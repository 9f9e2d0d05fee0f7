import assert from "node:assert/strict"
import { test } from "node:test"
import { usualName } from "./header-names.ts"

test("header names have their usual capitalisation", () => {
  const names = [
    "ETag",
    "RateLimit",
    "RateLimit-Policy",
    "WWW-Authenticate",
    "Content-Type",
    "X-Request-Id",
    "Location",
  ]
  for (const name of names) assert.equal(usualName(name.toLowerCase()), name)
  assert.equal(usualName("Total-Count"), "Total-Count")
})
