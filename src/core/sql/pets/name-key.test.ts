import assert from "node:assert/strict"
import { test } from "node:test"
import { keyAbove, nameKey } from "./name-key.ts"

const highest = "\u{10ffff}"

test("names that differ in case or in the form of sigma have one key", () => {
  assert.deepEqual(["ŁAP", "ΣΙΣΣ", "σισς", "σισσ"].map(nameKey), ["łap", "σισσ", "σισσ", "σισσ"])
})

test("the key above a prefix is the smallest one that is above all keys with the prefix", () => {
  assert.equal(keyAbove("rex"), "rey")
  assert.equal(keyAbove(`rex${highest}${highest}`), "rey")
  assert.equal(keyAbove("a\u{10fffe}"), `a${highest}`)
  assert.equal(keyAbove("🐕"), "🐖")
})

test("no key ends with half of a character, which no database stores", () => {
  assert.equal(keyAbove("a\ud7ff"), "a\ue000")
  assert.equal(keyAbove("a\ud7fe"), "a\ud7ff")
})

test("nothing is above an empty prefix: its key is longer than a name of the highest characters", () => {
  assert.equal(keyAbove(""), highest.repeat(256))
  assert.equal(keyAbove(highest), highest.repeat(256))
})
