import assert from "node:assert/strict"
import { test } from "node:test"
import { findNearest } from "./did-you-mean.ts"

const flags = ["url", "api-key", "token", "json", "help", "version"]

test("a typing error finds the intended word", () => {
  for (const [given, meant] of [
    ["jsn", "json"],
    ["vesrion", "version"],
    ["ulr", "url"],
    ["apikey", "api-key"],
    ["tokens", "token"],
  ] as const)
    assert.equal(findNearest(given, flags), meant, given)
  assert.equal(findNearest("pest", ["pets", "store"]), "pets")
})

test("a word without a similar one finds nothing", () => {
  for (const given of ["", "v", "x", "username", "0"]) assert.equal(findNearest(given, flags), undefined, given)
  assert.equal(findNearest("url", []), undefined)
  assert.equal(findNearest("store", ["restore"]), undefined)
  for (const given of ["get", "set", "text", "nope", "a"])
    assert.equal(findNearest(given, ["pets", "copy", "at", "test"]), given === "text" ? "test" : undefined, given)
})
