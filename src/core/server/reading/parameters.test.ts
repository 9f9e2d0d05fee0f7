import assert from "node:assert/strict"
import { test } from "node:test"
import { Id } from "../../kernel/schema/schema.ts"
import { Type } from "../../kernel/schema/type.ts"
import { pathReader, queryReader } from "./parameters.ts"

const Query = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10 })),
  name: Type.Optional(Type.String()),
  tags: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 3 })),
  kinds: Type.Optional(Type.Array(Type.Enum(["a", "b"]))),
  order: Type.Optional(Type.Enum(["up", "down"])),
  sort: Type.String({ default: "id" }),
})
const readQuery = queryReader(Query)
const refused = (parameter: string, code: string) => (error: unknown) => {
  const { code: problem, violations } = error as { code: string; violations: { parameter: string; code: string }[] }
  assert.equal(problem, "invalid-parameter")
  assert.deepEqual(
    violations.map((one) => [one.parameter, one.code]),
    [[parameter, code]],
  )
  return true
}

const queries: [raw: Record<string, unknown>, values: object][] = [
  [{}, {}],
  [{ other: "1", name: "x" }, { name: "x" }],
  [
    { limit: "10", name: "10" },
    { limit: 10, name: "10" },
  ],
  [{ name: "" }, { name: "" }],
  [{ tags: "" }, {}],
  [{ tags: "a,b" }, { tags: ["a", "b"] }],
  [{ tags: "a, b ,,\tc d," }, { tags: ["a", "b", "c d"] }],
  [{ tags: [" a", "", ","] }, { tags: [" a"] }],
  [{ tags: " , ," }, {}],
  [{ tags: ["a,b", "c"] }, { tags: ["a", "b", "c"] }],
  [{ kinds: " a" }, { kinds: ["a"] }],
  [{ kinds: [" a", "b "] }, { kinds: ["a", "b"] }],
  [{ order: " up " }, { order: "up" }],
  [{ "tags[]": ["a", "b"] }, { tags: ["a", "b"] }],
  [{ "tags[1]": "b", "tags.0": "a", tags: "c" }, { tags: ["c", "a", "b"] }],
  [{ "name[]": ["x"], other: "1" }, { name: ["x"] }],
  [{ "other[a]": "1" }, {}],
]

for (const [raw, values] of queries)
  test(`the query ${JSON.stringify(raw)} has the values ${JSON.stringify(values)}`, () => {
    const read = () => readQuery(raw)
    if ("name" in values && Array.isArray(values.name)) assert.throws(read, refused("name", "wrong-type"))
    else assert.deepEqual(read(), { sort: "id", ...values })
  })

for (const [raw, parameter, code] of [
  [{ limit: "11" }, "limit", "too-large"],
  [{ limit: "0" }, "limit", "too-small"],
  [{ limit: "-1" }, "limit", "too-small"],
  [{ limit: "01" }, "limit", "wrong-type"],
  [{ limit: "+1" }, "limit", "wrong-type"],
  [{ limit: "1.0" }, "limit", "wrong-type"],
  [{ limit: "" }, "limit", "wrong-type"],
  [{ limit: ["1", "2"] }, "limit", "wrong-type"],
  [{ name: ["1", "2"] }, "name", "wrong-type"],
  [{ "name.first": "1" }, "name", "wrong-type"],
  [{ "tags[a]": "1" }, "tags", "wrong-type"],
  [{ "tags[0][a]": "1" }, "tags", "wrong-type"],
  [{ "tags[0]": "1", "tags[1][a]": "1" }, "tags", "wrong-type"],
  [{ tags: "a,b,c,d" }, "tags", "too-many"],
] as const)
  test(`the query ${JSON.stringify(raw)} is refused`, () =>
    assert.throws(() => readQuery(raw), refused(parameter, code)))

test("names that objects inherit are not parameters", () => {
  assert.deepEqual(readQuery({ "constructor[0]": "1", "toString.a": "2" }), { sort: "id" })
})

test("an operation without parameters reads none", () => {
  assert.deepEqual(pathReader(undefined)({ id: "1" }), {})
  assert.deepEqual(queryReader(Type.Object({}))({ a: "1" }), {})
})

const readPath = pathReader(Type.Object({ id: Id, name: Type.Optional(Type.String({ maxLength: 3 })) }))

for (const [text, id] of [
  ["1", 1],
  ["0", 0],
  ["-1", 0],
  ["-9007199254740991", 0],
  ["9007199254740991", 9007199254740991],
  ["9007199254740992", 0],
  ["9223372036854775807", 0],
  ["-9223372036854775808", 0],
] as const)
  test(`the id ${text} in a path is read as ${id}`, () => assert.deepEqual(readPath({ id: text }), { id }))

for (const text of ["9223372036854775808", "-9223372036854775809", "1".repeat(16_000), "01", "1.0", "one", "1e3"])
  test(`the id ${text.slice(0, 20)} in a path is refused`, () =>
    assert.throws(() => readPath({ id: text }), refused("id", /^-?[1-9]\d*$/.test(text) ? "too-large" : "wrong-type")))

test("one parameter is read like several", () => {
  assert.deepEqual(pathReader(Type.Object({ id: Id }))({ id: "1" }), { id: 1 })
})

test("a text in a path stays text, within its bounds", () => {
  assert.deepEqual(readPath({ id: "1", name: "123" }), { id: 1, name: "123" })
  assert.throws(() => readPath({ id: "1", name: "1234" }), refused("name", "too-long"))
})
