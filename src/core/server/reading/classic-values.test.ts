import assert from "node:assert/strict"
import { test } from "node:test"
import { readClassicValues } from "./classic-values.ts"

const schema = {
  type: "object",
  required: ["tags", "photoUrls", "name"],
  properties: {
    id: { type: "integer" },
    name: { type: "string" },
    isReady: { type: "boolean" },
    at: { type: "string", format: "date-time" },
    tags: { type: "array", items: { type: "object", properties: { id: { type: "integer" } } } },
    photoUrls: { type: "array", items: { type: "string", format: "uri-reference" } },
    email: { type: "string", "x-trimmed": true },
    names: { type: "array", items: { type: "string" } },
    things: { type: "array" },
  },
} as const
const read = (value: unknown) => readClassicValues(value, schema)
const lists = { tags: [], photoUrls: [] }

test("numbers and booleans may be their text, at every depth; texts and unknown members stay", () => {
  const value = { id: "12", isReady: "true", name: "12", tags: [{ id: "-3", other: "4" }], photoUrls: [], other: "5" }
  assert.deepEqual(read(value), { ...value, id: 12, isReady: true, tags: [{ id: -3, other: "4" }] })
  assert.deepEqual(read({ ...lists, id: "one", isReady: "yes" }), { ...lists, id: "one", isReady: "yes" })
})

test("a member that the schema does not have is not looked up in what objects inherit", () => {
  assert.deepEqual(read({ ...lists, constructor: "1", toString: [{ id: "1" }] }), {
    ...lists,
    constructor: "1",
    toString: [{ id: "1" }],
  })
})

test("a required list may be absent or null; other members may not", () => {
  assert.deepEqual(read({}), lists)
  assert.deepEqual(read({ tags: null, photoUrls: null, names: null, name: null }), {
    ...lists,
    names: null,
    name: null,
  })
})

test("an empty URL in a list counts as absent, other empty texts do not", () => {
  assert.deepEqual(read({ tags: [""], photoUrls: ["", "/a", ""], names: [""], things: ["", "1"] }), {
    tags: [""],
    photoUrls: ["/a"],
    names: [""],
    things: ["", "1"],
  })
})

test("spaces at the end are dropped where the schema says so", () => {
  assert.deepEqual(read({ ...lists, name: "a ", email: " a@b \t\n" }), { ...lists, name: "a ", email: " a@b" })
})

test("a value of another form is left for the schema to refuse", () => {
  for (const value of [null, 1, true, "text", ["1"]]) assert.deepEqual(read(value), value)
})

const times: [given: unknown, read: unknown][] = [
  [0, "1970-01-01T00:00:00.000Z"],
  ["1767323045678", "2026-01-02T03:04:05.678Z"],
  [-1, "1969-12-31T23:59:59.999Z"],
  [999_999_999_999_999, "+033658-09-27T01:46:39.999Z"],
  [1_000_000_000_000_000, "1000000000000000"],
  ["2026-01-02", "2026-01-02T00:00:00Z"],
  ["2026-01-02T03:04", "2026-01-02T03:04:00Z"],
  ["2026-01-02 03:04:05", "2026-01-02T03:04:05Z"],
  ["2026-01-02T03:04:05.67", "2026-01-02T03:04:05.67Z"],
  ["2026-01-02T03:04:05+01:00", "2026-01-02T03:04:05+01:00"],
  ["2026-01-02T03", "2026-01-02T03"],
  ["today", "today"],
  [1.5, "1.5"],
  [true, "true"],
  [null, null],
]

for (const [given, expected] of times)
  test(`the time ${JSON.stringify(given)} is read as ${JSON.stringify(expected)}`, () =>
    assert.deepEqual(read({ ...lists, at: given }), { ...lists, at: expected }))
