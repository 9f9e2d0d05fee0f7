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

test("a word is at most three edits away, and at most a third of the letters, rounded", () => {
  for (const [given, word, isFound] of [
    ["abcdefghijxyz", "abcdefghijklm", true],
    ["abcdefghiwxyz", "abcdefghijklm", false],
    ["staxyz", "status", false],
    ["statxy", "status", true],
    ["abxxx", "abcde", false],
    ["abcxx", "abcde", true],
    ["abxx", "abcd", false],
    ["", "a", false],
  ] as const)
    assert.equal(findNearest(given, [word]), isFound ? word : undefined, `${given} ${word}`)
})

test("a word that is two edits away has the same first letter, one that is one edit away may have another", () => {
  for (const given of ["statxy", "tatus", "xtatus", "tsatus"])
    assert.equal(findNearest(given, ["status"]), "status", given)
  for (const given of ["xtatuy", "tatusz", "xstats"]) assert.equal(findNearest(given, ["status"]), undefined, given)
})

test("the closest word is found, of equally close ones that with the same first letter", () => {
  for (const [given, closest, other] of [
    ["orders", "rders", "ordxys"],
    ["cat", "car", "bat"],
  ] as const)
    for (const words of [
      [closest, other],
      [other, closest],
    ])
      assert.equal(findNearest(given, words), closest)
})
