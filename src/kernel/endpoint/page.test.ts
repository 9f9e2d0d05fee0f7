import assert from "node:assert/strict"
import { test } from "node:test"
import { Problem } from "../problem.ts"
import { decodeCursor, encodeCursor, startOf } from "./page.ts"

const seven = encodeCursor({ sort: "-id", id: 7 })

test("a cursor decodes to the item it was made from", () => {
  for (const id of [1, 99, 2 ** 31, Number.MAX_SAFE_INTEGER]) {
    for (const sort of ["id", "-id"] as const) {
      const cursor = { sort, id }
      assert.deepEqual(decodeCursor(encodeCursor(cursor)), cursor)
    }
    for (const sort of ["name", "-name"] as const)
      for (const key of ["", "rex", "7:x", "a\nb", "i\u0307🐢", "\ufeffb"]) {
        const cursor = { sort, id, key }
        assert.deepEqual(decodeCursor(encodeCursor(cursor)), cursor)
      }
  }
})

test("a cursor contains only characters that need no escaping in a query", () => {
  for (const key of ["tom & <jerry>", "?>?>?>", "ÿÿÿ", "\u{10ffff}"])
    for (const id of [1, 27, 12345]) assert.match(encodeCursor({ sort: "name", id, key }), /^[\w-]+$/)
})

test("a cursor of version 0.1.0, in standard base64, still works, also where its + was read as a space", () => {
  const old = "YWZ0ZXItbmFtZToyNzp0b20gJiA8amVycnk+"
  const cursor = { sort: "name", id: 27, key: "tom & <jerry>" } as const
  for (const text of [old, old.replace("+", " "), old.replace("+", "-")]) assert.deepEqual(decodeCursor(text), cursor)
  const slashed = { sort: "-name", id: 3, key: "?>?>?>" } as const
  assert.deepEqual(decodeCursor("YmVmb3JlLW5hbWU6Mzo/Pj8+Pz4"), slashed)
  assert.equal(encodeCursor(slashed), "YmVmb3JlLW5hbWU6Mzo_Pj8-Pz4")
})

test("a page does not start at a cursor of another order", () => {
  const cursor = { sort: "-id", id: 7 } as const
  assert.deepEqual([startOf({ cursor }, "-id"), startOf({ cursor: undefined }, "id")], [cursor, undefined])
  for (const sort of ["id", "name", "-name"] as const) assert.ok(startOf({ cursor }, sort) instanceof Problem)
})

test("text that is not a cursor is recognised", () => {
  for (const text of [
    "",
    "x",
    "💥",
    seven.slice(1),
    `${seven}A`,
    `${seven}=`,
    btoa("before:-1"),
    btoa("before:1e3"),
    btoa("behind:7"),
    btoa("after-name:7"),
    btoa("after-name:7:\0"),
    btoa("before:7:x"),
  ])
    assert.equal(decodeCursor(text), undefined, text)
})
