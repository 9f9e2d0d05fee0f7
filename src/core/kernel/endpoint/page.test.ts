import assert from "node:assert/strict"
import { test } from "node:test"
import { Problem } from "../problem.ts"
import { cursorAt, decodeCursor, encodeCursor, mapPage, pageBytesMax, pageLimitMax, pageOf, startOf } from "./page.ts"

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

const rowsOf = (ids: readonly number[], text = "") => ids.map((id) => ({ id, text }))
const idsOf = ({ items, next }: { items: { id: number }[]; next: number | undefined }) => [
  items.map(({ id }) => id),
  next,
]

test("a page has up to its limit of rows, and the next one starts below the last of them", () => {
  const page = (ids: readonly number[], limit: number) => idsOf(pageOf(rowsOf(ids), limit, (row) => row))
  assert.deepEqual(page([], 2), [[], undefined])
  assert.deepEqual(page([9, 8], 2), [[9, 8], undefined])
  assert.deepEqual(page([9, 8, 7], 2), [[9, 8], 8])
})

test("a page ends where its JSON would exceed 1 MiB, and has at least one item", () => {
  const jsonOf = (bytes: number) => "x".repeat(bytes)
  const count = (sizes: readonly number[], item = (row: { text: string }): unknown => row.text) =>
    pageOf(
      sizes.map((bytes, id) => ({ id: id + 1, text: jsonOf(bytes) })),
      sizes.length,
      item,
    )
  const half = pageBytesMax / 2 - 1
  assert.deepEqual(count([half, half - 1]).items.length, 2)
  const { items, next } = count([half, half])
  assert.deepEqual([items.length, next], [1, 1])
  assert.equal(count([pageBytesMax + 1, 1]).items.length, 1)
  assert.deepEqual([pageBytesMax, pageLimitMax], [1_048_576, 1_000])
  assert.equal(count([half / 2 + 1, half / 2 + 1], ({ text }) => text.replaceAll("x", "é")).items.length, 1)
  assert.equal(count([half / 2, half / 2], ({ text }) => text.replaceAll("x", "é")).items.length, 2)
  assert.equal(count([half - 11, half - 12], ({ text }) => ({ text })).items.length, 2)
  assert.equal(count([half - 11, half - 11], ({ text }) => ({ text })).items.length, 1)
})

test("the items of a page can be shown, and a cursor exists only where there is a next page", () => {
  assert.deepEqual(mapPage({ items: [1, 2], next: 3 }, String), { items: ["1", "2"], next: 3 })
  assert.deepEqual([cursorAt("id", 7), cursorAt("-id", undefined)], [{ sort: "id", id: 7 }, undefined])
})

test("ids of a cursor are from 1 to 2^53 - 1", () => {
  const decoded = (id: string) => decodeCursor(btoa(`before:${id}`).replaceAll("=", ""))
  assert.deepEqual(
    ["0", "1", "9007199254740991", "9007199254740992"].map((id) => decoded(id)?.id),
    [undefined, 1, 9007199254740991, undefined],
  )
})
