import assert from "node:assert/strict"
import { test } from "node:test"
import type { TSchema } from "typebox"
import { closeSchema } from "../../kernel/schema/close-schema.ts"
import { Type } from "../../kernel/schema/type.ts"
import { readXml } from "./read-xml.ts"

const Tag = Type.Object({ id: Type.Integer(), name: Type.String() }, { xml: { name: "tag" } })
const Pet = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    weight: Type.Number(),
    isReady: Type.Boolean(),
    status: Type.Enum(["available", "sold"]),
    at: Type.String({ format: "date-time" }),
    tag: Tag,
    tags: Type.Array(Tag),
    photoUrls: Type.Array(Type.String({ format: "uri-reference", xml: { name: "photoUrl" } })),
  },
  { xml: { name: "Pet" } },
)
const read = (xml: string, schema: TSchema = Pet) => readXml(Buffer.from(xml), schema)

const pets: [xml: string, value: unknown][] = [
  ["", {}],
  ["<other>1</other>", {}],
  ["<id> 1 </id><name> a </name><isReady>true</isReady>", { id: 1, name: " a ", isReady: true }],
  ["<id>one</id><isReady>yes</isReady>", { id: "one", isReady: "yes" }],
  ["<id/><name/><weight> </weight><isReady/>", { id: null, name: "", weight: null, isReady: null }],
  ["<status> sold </status><at> 2026 </at>", { status: "sold", at: "2026" }],
  ["<status/><at/>", { status: null, at: null }],
  ['<id xsi:nil="true">1</id><name nil=" 1 "/>', { id: null, name: null }],
  ['<id xsi:nil="false">1</id><name kind="true">a</name>', { id: 1, name: "a" }],
  ['<id vanil="true">1</id><name xsi:nil="yes">a</name>', { id: 1, name: "a" }],
  ["<id>1</id><id>2</id>", { id: [1, 2] }],
  ["<id><x/></id><name><x/></name>", { id: {}, name: {} }],
  ["<tag><id>1</id></tag>", { tag: { id: 1 } }],
  ["<tag>text<id>1</id></tag>", { tag: "text" }],
  ["<tag>\n<id>1</id>\n</tag>", { tag: { id: 1 } }],
  ["<tags/>", { tags: [] }],
  ["<tags><tag><id>1</id></tag><tag><id>2</id></tag></tags>", { tags: [{ id: 1 }, { id: 2 }] }],
  ["<tags><id>1</id><name>a</name></tags>", { tags: [{ id: 1, name: "a" }] }],
  ["<tags><id>1</id></tags><tags><id>2</id></tags>", { tags: [{ id: 1 }, { id: 2 }] }],
  ["<tags><tag><id>1</id></tag><name>a</name></tags>", { tags: [{ id: 1 }, "a"] }],
  ["<tags>text<tag><id>1</id></tag></tags>", { tags: ["text", { id: 1 }] }],
  ["<photoUrls><photoUrl>/a</photoUrl><photoUrl>/b</photoUrl></photoUrls>", { photoUrls: ["/a", "/b"] }],
  ["<photoUrls><photoUrl>\n  /a\n</photoUrl></photoUrls>", { photoUrls: ["/a"] }],
  ["<photoUrls>/a</photoUrls><photoUrls>/b</photoUrls>", { photoUrls: ["/a", "/b"] }],
]

for (const [xml, value] of pets)
  test(`the pet ${xml || "without elements"} is ${JSON.stringify(value)}`, async () =>
    assert.deepEqual(await read(`<Pet>${xml}</Pet>`), value))

test("a list without a schema of its items consists of texts", async () => {
  assert.deepEqual(await read("<list><a>1</a></list>", { type: "array", xml: { name: "list" } }), ["1"])
})

test("unknown elements stay only where the schema refuses them", async () => {
  const xml = "<Pet><id>1</id><other>2</other><photoUrls/><tag><other>2</other></tag></Pet>"
  assert.deepEqual(await read(xml, closeSchema(Pet)), { id: 1, photoUrls: [], tag: { other: null }, other: null })
})

test("the root must be the element of the schema, whose first letter may have either case", async () => {
  assert.deepEqual(await read("<pet/>"), {})
  await assert.rejects(read("<pEt/>"), {
    code: "invalid-body",
    violations: [{ pointer: "", code: "wrong-form", detail: "must be the element <Pet>" }],
  })
})
