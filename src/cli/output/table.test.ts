import assert from "node:assert/strict"
import { test } from "node:test"
import { createTable } from "./table.ts"

test("columns are aligned with any script and emoji", () => {
  const table = createTable(["name", "status"])([
    { name: "犬", status: "sold" },
    { name: "🐕‍🦺", status: "sold" },
    { name: "cafe\u0301", status: "sold" },
  ])
  assert.equal(table, "name  status\n犬    sold\n🐕‍🦺    sold\ncafe\u0301  sold\n")
})

test("a long cell is cut to 48 columns, never within a wide character", () => {
  const [, ascii, wide] = createTable(["name"])([{ name: "x".repeat(100) }, { name: "犬".repeat(100) }]).split("\n")
  assert.equal(ascii, `${"x".repeat(47)}…`)
  assert.equal(wide, `${"犬".repeat(23)}…`)
})

test("every page has the same columns, regardless of its items", () => {
  const table = createTable(["id", "category", "name"])
  assert.equal(table([{ name: "Rex", id: 1, more: true }]), "id  category  name\n1             Rex\n")
  assert.equal(table([{ id: 2, category: { name: "Cats" } }]), "2   Cats\n")
})
