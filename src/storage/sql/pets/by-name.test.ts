import assert from "node:assert/strict"
import { test } from "node:test"
import type { SqlConnection } from "../statement.ts"
import { findByName, nameStart } from "./by-name.ts"

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

test("a page by name walks one pet further than it shows, between its start and the end of the prefix", async () => {
  const bound: Record<string, unknown>[] = []
  const db = {
    one(_: unknown, values: Record<string, unknown>) {
      bound.push(values)
      return bound.length === 1 ? { ids: "4,9,2" } : { count: 2, items: "[{},{}]", longest: 2, key: "rex 2" }
    },
  } as unknown as SqlConnection
  const page = await findByName(db, { status1: "sold" }, "rex", "ascending")({ key: "rex", id: 0 }, 2, 500)
  assert.deepEqual(bound, [
    { status1: "sold", key: "rex", after: 0, end: "rey", limit: 3 },
    { ids: "[4,9]", bytesMax: 500 },
  ])
  assert.deepEqual(page, { count: 2, items: "[{},{}]", longest: 2, more: 1, last: { key: "rex 2", id: 9 } })
  bound.length = 0
  await findByName(db, {}, "rex", "descending")({ key: "rey", id: 0 }, 1, 500)
  assert.deepEqual(bound[0], { key: "rey", after: 0, end: "rex", limit: 2 })
})
