import assert from "node:assert/strict"
import { test } from "node:test"
import { buildUrl, encodeBody, makeIdempotencyKey } from "./request.ts"

test("an address has the filled path and all parameters that are given, lists one by one", () => {
  const root = "http://a/s/x"
  assert.equal(buildUrl(root, "/pet"), "http://a/s/x/api/v3/pet")
  assert.equal(
    buildUrl(root, "/pet/{petId}/tag/{tag}", { petId: 7, tag: "a/b" }),
    "http://a/s/x/api/v3/pet/7/tag/a%2Fb",
  )
  assert.equal(buildUrl(root, "/pet", {}, { limit: 5 }), "http://a/s/x/api/v3/pet?limit=5")
  const query = { status: ["sold", undefined, "pending"], limit: 5, cursor: undefined, name: "a b&c" }
  assert.equal(
    buildUrl(root, "/pet", {}, query),
    "http://a/s/x/api/v3/pet?status=sold&status=pending&limit=5&name=a+b%26c",
  )
  assert.equal(buildUrl(root, "/pet", {}, { cursor: undefined, tags: [] }), "http://a/s/x/api/v3/pet")
})

test("a body is JSON, a form or the bytes as they are", () => {
  const bytes = new Uint8Array([1, 2])
  assert.equal(encodeBody({ a: 1, b: "ä" }, "application/json"), '{"a":1,"b":"ä"}')
  assert.equal(encodeBody({ a: "1", b: "x y" }, "application/x-www-form-urlencoded"), "a=1&b=x+y")
  assert.equal(encodeBody(bytes, "application/json"), bytes)
  assert.equal(encodeBody(bytes, "application/x-www-form-urlencoded"), bytes)
})

test("an idempotency key is 16 random bytes in hexadecimal digits", () => {
  const keys = new Set(Array.from({ length: 40 }, makeIdempotencyKey))
  assert.equal(keys.size, 40)
  for (const key of keys) assert.match(key, /^[0-9a-f]{32}$/)
})
