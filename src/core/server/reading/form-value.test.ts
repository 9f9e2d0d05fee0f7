import assert from "node:assert/strict"
import { test } from "node:test"
import type { TSchema } from "typebox"
import { closeSchema } from "../../kernel/schema/close-schema.ts"
import { Type } from "../../kernel/schema/type.ts"
import { readUrlencoded } from "./form-fields.ts"
import { composeForm } from "./form-value.ts"

const Tag = Type.Object({ id: Type.Integer(), name: Type.String() })
const Pet = Type.Object({
  id: Type.Integer(),
  name: Type.Optional(Type.String()),
  isReady: Type.Boolean(),
  tag: Tag,
  tags: Type.Array(Tag, { maxItems: 3 }),
  names: Type.Optional(Type.Array(Type.String())),
  ids: Type.Optional(Type.Array(Type.Integer(), { maxItems: 2 })),
})
const compose = (form: string, schema: TSchema = Pet) => composeForm(schema, readUrlencoded(Buffer.from(form)))

const forms: [form: string, value: object][] = [
  ["", { tags: [] }],
  ["other=1", { tags: [] }],
  ["id=1&name=1&isReady=true", { id: 1, name: "1", isReady: true, tags: [] }],
  ["id=one&isReady=yes", { id: "one", isReady: "yes", tags: [] }],
  ["id=1&id=2", { id: ["1", "2"], tags: [] }],
  ['tag={"id":1}', { tag: { id: 1 }, tags: [] }],
  ["tag={", { tag: "{", tags: [] }],
  ["tag[id]=1&tag.name=x", { tag: { id: 1, name: "x" }, tags: [] }],
  ['tag={"id":1}&tag[name]=x', { tag: [['{"id":1}', "name"]], tags: [] }],
  ["tag[]=1", { tag: [[""]], tags: [] }],
  ["tag[id]=1&tag[.]=2", { tag: [["id", "."]], tags: [] }],
  ["id[0]=1", { id: [["0"]], tags: [] }],
  ['tags={"id":1}&tags={"id":2}', { tags: [{ id: 1 }, { id: 2 }] }],
  ['tags=[{"id":1},{"id":2}]', { tags: [{ id: 1 }, { id: 2 }] }],
  ["tags=null", { tags: null }],
  ["tags=null&tags=null", { tags: [null, null] }],
  ["tags=1&tags={", { tags: [1, "{"] }],
  ["tags[0][id]=1&tags[1].name=x", { tags: [{ id: 1 }, { name: "x" }] }],
  ['tags={"id":1}&tags[][id]=2', { tags: [{ id: 1 }, { id: 2 }] }],
  ['tags[]={"id":1}&tags[0]=[{"id":2}]', { tags: [{ id: 2 }, { id: 1 }] }],
  ["tags[first][id]=1", { tags: [["first"]] }],
  ["names=a&names=1&names[]=b", { names: ["a", "1", "b"], tags: [] }],
  ["names[a]=b", { names: [["a"]], tags: [] }],
  ["id=&isReady=&tag=&name=", { id: null, isReady: null, tag: null, name: "", tags: [] }],
  ["tags=&names=&names[]=&ids=&ids=1&ids[0]=", { tags: [], names: [], ids: [1] }],
  ["tag&names&name", { tag: null, names: [], name: "", tags: [] }],
  ["ids=1&ids[]=2", { ids: [1, 2], tags: [] }],
  ["ids[0][a]=1", { ids: [[["a"]]], tags: [] }],
]

for (const [form, value] of forms)
  test(`the form ${form || "without fields"} is ${JSON.stringify(value)}`, () => assert.deepEqual(compose(form), value))

test("the items of a list that is too long are not read", () => {
  const { tags, ids } = compose(`${'tags={"id":1}&'.repeat(4)}ids=1&ids=2&ids[]=3`) as {
    tags: unknown[]
    ids: unknown[]
  }
  assert.deepEqual(tags, Array(4).fill('{"id":1}'))
  assert.deepEqual(ids.slice(0, 2), ["1", "2"])
  assert.equal(ids.length, 3)
  assert.equal(
    (compose('tags={"id":1}&'.repeat(3)).tags as object[]).every((tag) => typeof tag === "object"),
    true,
  )
})

test("a list of items without a schema consists of texts", () => {
  assert.deepEqual(compose("a=1&a=2", { properties: { a: { type: "array" } } }), { a: ["1", "2"] })
})

test("unknown fields stay only where the schema refuses them", () => {
  assert.deepEqual(compose("id=1&other=1&tag[other]=2", closeSchema(Pet)), {
    id: 1,
    tags: [],
    tag: { other: null },
    other: null,
  })
})
