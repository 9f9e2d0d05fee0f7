import assert from "node:assert/strict"
import { test } from "node:test"
import { csvLine, fieldsToValue, isListColumn, mapColumns, petToCsv, setColumn } from "./csv-columns.ts"

test("a mapped title has its column, an ignored one none, and other titles the columns that are left", () => {
  const mapped = (titles: string[], columns: [string, "name" | "tags" | "id" | undefined][]) =>
    mapColumns(titles, new Map(columns)).map(({ title, column }) => `${title}=${column ?? ""}`)
  assert.deepEqual(mapped(["a", "name", "tags"], [["a", "name"]]), ["a=name", "name=", "tags=tags"])
  assert.deepEqual(mapped([" a ", "b"], [["a", "name"]]), [" a =name", "b="])
  assert.deepEqual(mapped(["name", "Pet name"], [["name", undefined]]), ["name=", "Pet name=name"])
  assert.deepEqual(
    mapped(
      ["a", "a", "b", "b"],
      [
        ["a", "name"],
        ["b", "tags"],
      ],
    ),
    ["a=name", "a=", "b=tags", "b=tags"],
  )
  assert.deepEqual(
    ["id", "name", "category", "status", "tags", "photoUrls"].map((column) => isListColumn(column as "id")),
    [false, false, false, false, true, true],
  )
})

test("the fields of a record are the members of a pet, formulas as they were before the export", () => {
  const columns = mapColumns(["id", "name", "category", "status", "tags", "photoUrls", "other"])
  assert.deepEqual(fieldsToValue(columns, [" 7 ", "'=1", "'Dogs'", " SOLD ", "a|b", "/a.jpg|/b.jpg", "x"]), {
    photoUrls: ["/a.jpg", "/b.jpg"],
    id: 7,
    name: "=1",
    category: { name: "'Dogs'" },
    status: "sold",
    tags: [{ name: "a" }, { name: "b" }],
  })
  assert.deepEqual(fieldsToValue(columns, ["x1"]), { photoUrls: [], id: "x1", tags: [] })
  assert.equal((fieldsToValue(columns, ["12.0"]) as { id: number }).id, 12)
  assert.deepEqual(fieldsToValue(columns, ["1.5", " ", "''"]), {
    photoUrls: [],
    id: "1.5",
    category: { name: "''" },
    tags: [],
  })
  const [first, second] = mapColumns(
    ["a", "b"],
    new Map([
      ["a", "tags"],
      ["b", "tags"],
    ] as const),
  )
  assert.ok(first && second)
  const separated = [{ ...first, separator: ";" as const }, second]
  assert.deepEqual(fieldsToValue(separated, ["x,y;z", "w"]), {
    photoUrls: [],
    tags: [{ name: "x,y" }, { name: "z" }, { name: "w" }],
  })
})

test("several texts are one list, and text that is no list is kept", () => {
  const value: Record<string, unknown> = {}
  setColumn(value, "photoUrls", "/a.jpg")
  setColumn(value, "photoUrls", "/b.jpg")
  assert.deepEqual(value, { photoUrls: ["/a.jpg", "/b.jpg"] })
  setColumn(value, "photoUrls", "{x}")
  assert.deepEqual(value, { photoUrls: "{x}" })
  setColumn(value, "photoUrls", "/c.jpg")
  assert.deepEqual(value, { photoUrls: "{x}" })
})

test("a pet is a line of CSV, with formulas escaped and a list on lines where it needs them", () => {
  assert.equal(
    petToCsv({ id: 7, name: "Rex", status: "sold", photoUrls: ["/a.jpg", "/b, /c.jpg"], tags: [] }),
    '7,Rex,,sold,,"/a.jpg|/b, /c.jpg",,\r\n',
  )
  assert.equal(
    petToCsv({
      id: 8,
      name: "=1",
      status: "available",
      category: { id: 1, name: "Dogs" },
      photoUrls: ["/b, /c.jpg"],
      tags: [
        { id: 1, name: "a" },
        { id: 2, name: "b;c" },
      ],
      createdAt: "2026-01-01T00:00:00Z",
      updatedAt: "2026-01-02T00:00:00Z",
    }),
    `8,'=1,Dogs,available,"a|b;c","/b, /c.jpg\n",2026-01-01T00:00:00Z,2026-01-02T00:00:00Z\r\n`,
  )
  assert.equal(csvLine(["'=1", "-", "a=b", ""]), "''=1,'-,a=b,\r\n")
})
