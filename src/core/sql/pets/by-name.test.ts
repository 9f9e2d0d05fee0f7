import assert from "node:assert/strict"
import { test } from "node:test"
import { nameStart } from "./by-name.ts"

test("without a position, a list by name starts before the first key with the prefix, or above the last one", () => {
  assert.deepEqual(nameStart("rex", "ascending", undefined), { key: "rex", id: 0 })
  assert.deepEqual(nameStart("rex", "descending", undefined), { key: "rey", id: 0 })
})

test("a list by name continues at a position between both ends", () => {
  for (const key of ["rex", "rex 2", "rey"])
    assert.deepEqual(nameStart("rex", "ascending", { key, id: 7 }), { key, id: 7 })
  for (const key of ["rex", "rexz", "rew"])
    assert.deepEqual(nameStart("rex", "descending", { key, id: 7 }), { key, id: 7 })
})

test("a position outside of the prefix, from a cursor of another list, starts the list at its beginning", () => {
  assert.deepEqual(nameStart("rex", "ascending", { key: "rew", id: 7 }), { key: "rex", id: 0 })
  for (const key of ["rey", "s"])
    assert.deepEqual(nameStart("rex", "descending", { key, id: 7 }), { key: "rey", id: 0 })
})

test("positions are compared by code points: a character beyond U+FFFF is above all others", () => {
  assert.deepEqual(nameStart("\uffee", "ascending", { key: "🐕", id: 7 }), { key: "🐕", id: 7 })
  assert.deepEqual(nameStart("🐕", "ascending", { key: "\uffee", id: 7 }), { key: "🐕", id: 0 })
})
