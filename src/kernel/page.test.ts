import assert from "node:assert/strict"
import { test } from "node:test"
import { decodeCursor, encodeCursor } from "./page.ts"

test("a cursor leads back to the id it was made from", () => {
  for (const id of [1, 99, 2 ** 31, Number.MAX_SAFE_INTEGER]) assert.equal(decodeCursor(encodeCursor(id)), id)
})

test("a text that is not a cursor is told apart from one", () => {
  for (const text of [
    "",
    "x",
    "💥",
    encodeCursor(7).slice(1),
    `${encodeCursor(7)}A`,
    btoa("before:-1"),
    btoa("before:1e3"),
    btoa("after:7"),
  ])
    assert.equal(decodeCursor(text), undefined, text)
})
