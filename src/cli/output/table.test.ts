import assert from "node:assert/strict"
import { test } from "node:test"
import { plain } from "../command/command.ts"
import { createTable, formatRecord, toText } from "./table.ts"

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

test("less important columns are left out in their order, before others are cut below a readable width", () => {
  const item = { path: "p".repeat(30), caller: "c".repeat(10), took: "t".repeat(10) }
  const row = (width: number) =>
    createTable(["path", "caller", "took"], { ...pipe, width }, { lessImportant: ["caller", "took"] })([item, {}])
  assert.match(row(60), /^path +caller +took\np{30} {2}c{10} {2}t{10}\n/)
  assert.match(row(48), /^path +caller +took\np{23}… {2}c{10} {2}t{10}\n/)
  assert.match(row(47), /^path +took\np{30} {2}t{10}\n/)
  assert.match(row(35), /^path\np{30}\n/)
  assert.match(row(20), /^path\np{19}…\n/)
})

test("later rows have the columns of the first ones", () => {
  const table = createTable(["a", "b"], { ...pipe, width: 20 }, { lessImportant: ["b"] })
  assert.equal(table([{ a: "x".repeat(15), b: "y".repeat(15) }]), `a\n${"x".repeat(15)}\n`)
  assert.equal(table([{ a: "x", b: "y" }]), "x\n")
})

test("names of columns and fields are bold on a terminal that shows colours", () => {
  const colours = { width: 80, paint: { out: (format: string, text: string) => `<${format}>${text}</>`, err: plain } }
  assert.equal(createTable(["id", "name"], colours)([{ id: 1, name: "Rex" }]), "<bold>id  name</>\n1   Rex\n")
  assert.equal(formatRecord({ id: 1, name: "Rex" }, colours), "<bold>id  </>  1\n<bold>name</>  Rex\n")
})

test("a row takes the whole width of the terminal, and columns of equal width are shortened in turn from the first", () => {
  const item = { a: "x".repeat(12), b: "y".repeat(12), c: "z" }
  const row = (width: number) => createTable(["a", "b", "c"], { ...pipe, width })([item]).split("\n")[1]
  assert.equal(row(29), `${"x".repeat(12)}  ${"y".repeat(12)}  z`)
  assert.equal(row(28), `${"x".repeat(10)}…  ${"y".repeat(12)}  z`)
  assert.equal(row(27), `${"x".repeat(10)}…  ${"y".repeat(10)}…  z`)
  assert.equal(row(1), `${"x".repeat(7)}…  ${"y".repeat(7)}…  z`)
})

test("a cell is cut where it is wider than its column, not where it fits", () => {
  const cell = (text: string) => createTable(["name"], pipe)([{ name: text }]).split("\n")[1]
  assert.equal(cell("x".repeat(48)), "x".repeat(48))
  assert.equal(cell("x".repeat(49)), `${"x".repeat(47)}…`)
  assert.equal(cell(`${"犬".repeat(23)}xy`), `${"犬".repeat(23)}xy`)
  const long = "x".repeat(60)
  const table = createTable(["id", "name"], pipe, { isCut: false })
  assert.equal(table([{ id: long, name: "Rex" }]), `id${" ".repeat(46)}  name\n${long}  Rex\n`)
})

test("a format of a column colours its text, not the spaces that align it", () => {
  const paint = { out: (format: string, text: string) => `<${format}>${text}</>`, err: plain }
  const look = { paint: { status: (text: string) => (text === "sold" ? ("red" as const) : ("green" as const)) } }
  const table = createTable(["status", "name"], { ...pipe, paint }, look)
  assert.equal(
    table([
      { status: "sold", name: "Rex" },
      { status: "available", name: "Ada" },
    ]),
    "<bold>status     name</>\n<red>sold</>       Rex\n<green>available</>  Ada\n",
  )
})

test("an item that is no object is one value, and an empty record is nothing", () => {
  assert.equal(createTable(["value"], pipe)(["a", null, 3]), "value\na\n\n3\n")
  assert.equal(formatRecord({}, pipe), "")
  assert.equal(
    formatRecord({ id: 1, photoUrls: [], category: null, name: "" }, pipe),
    "id         1\nphotoUrls  none\ncategory \nname     \n",
  )
})

test("a value is text: an object by its name, a limit in words, a list joined, anything else as JSON", () => {
  const join = (items: string[]) => items.join("|")
  const cases: [unknown, string][] = [
    [undefined, ""],
    [null, ""],
    [false, "false"],
    [0, "0"],
    ["text", "text"],
    [{ id: 1, name: "Dogs" }, "Dogs"],
    [{ name: { name: null } }, ""],
    [{ id: 1 }, '{"id":1}'],
    [[{ name: "x" }, 2, [3, 4]], "x|2|3|4"],
    [{ policy: "minute", quota: 60, remaining: 59, name: "n" }, "59 of 60 left this minute"],
    [{ time: "t", aheadSeconds: 0, frozen: false }, "real time"],
    [{ time: "t", aheadSeconds: 86_400, frozen: false }, "+1 d"],
    [{ time: "t", aheadSeconds: -7200, frozen: true }, "-2 h, frozen"],
    [{ time: "t", aheadSeconds: 90, frozen: false }, "+2 min"],
    [{ time: "t", aheadSeconds: 0, frozen: true }, "frozen"],
    [{ policy: "minute", quota: 60 }, '{"policy":"minute","quota":60}'],
    [{ policy: "minute", remaining: 60 }, '{"policy":"minute","remaining":60}'],
    [{ quota: 60, remaining: 60 }, '{"quota":60,"remaining":60}'],
  ]
  for (const [value, text] of cases) assert.equal(toText(value, join), text)
})
