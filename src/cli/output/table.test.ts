import assert from "node:assert/strict"
import { test } from "node:test"
import { plain } from "../command/command.ts"
import { createTable, formatRecord } from "./table.ts"

const pipe = { width: undefined, paint: { out: plain, err: plain } }

test("columns are aligned with any script and emoji", () => {
  const table = createTable(
    ["name", "status"],
    pipe,
  )([
    { name: "犬", status: "sold" },
    { name: "🐕‍🦺", status: "sold" },
    { name: "cafe\u0301", status: "sold" },
  ])
  assert.equal(table, "name  status\n犬    sold\n🐕‍🦺    sold\ncafe\u0301  sold\n")
})

test("a long cell is cut to 48 columns, never within a wide character", () => {
  const [, ascii, wide] = createTable(
    ["name"],
    pipe,
  )([{ name: "x".repeat(100) }, { name: "犬".repeat(100) }]).split("\n")
  assert.equal(ascii, `${"x".repeat(47)}…`)
  assert.equal(wide, `${"犬".repeat(23)}…`)
})

test("every page has the same columns, regardless of its items", () => {
  const table = createTable(["id", "category", "name"], pipe)
  assert.equal(table([{ name: "Rex", id: 1, more: true }]), "id  category  name\n1             Rex\n")
  assert.equal(table([{ id: 2, category: { name: "Cats" } }]), "2   Cats\n")
})

test("on a terminal, the widest columns are shortened until a row fits, and narrow ones stay whole", () => {
  const items = [
    { id: 2498, name: "x".repeat(40), tags: "y".repeat(30), status: "available" },
    { id: 1, name: "犬".repeat(40), tags: "", status: "sold" },
  ]
  const lines = createTable(["id", "name", "tags", "status"], { ...pipe, width: 50 })(items)
    .trimEnd()
    .split("\n")
  assert.equal(Math.max(...lines.map((line) => line.length)), 50)
  assert.match(lines[1] as string, /^2498 {2}x+… {2}y+… {2}available$/)
  const tiny = createTable(["id", "name"], { ...pipe, width: 3 })(items)
  assert.match(tiny, /^2498 {2}x{7}…$/m)
})

test("names of columns and fields are bold on a terminal that shows colours", () => {
  const colours = { width: 80, paint: { out: (format: string, text: string) => `<${format}>${text}</>`, err: plain } }
  assert.equal(createTable(["id", "name"], colours)([{ id: 1, name: "Rex" }]), "<bold>id  name</>\n1   Rex\n")
  assert.equal(formatRecord({ id: 1, name: "Rex" }, colours), "<bold>id  </>  1\n<bold>name</>  Rex\n")
})
