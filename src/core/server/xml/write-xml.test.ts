import assert from "node:assert/strict"
import { test } from "node:test"
import { json } from "../../kernel/json/json.ts"
import { Type } from "../../kernel/schema/type.ts"
import { elementName, writeProblemXml, writeXml, writeXmlList } from "./write-xml.ts"

const Names = Type.Array(Type.Object({ name: Type.String() }, { xml: { name: "pet" } }), { xml: { name: "pets" } })

test("special characters are escaped, and characters that XML cannot hold are replaced", () => {
  const text = (value: string) => writeXml(Type.String({ xml: { name: "a" } }), value).replace(/^.*\n<a>|<\/a>$/g, "")
  assert.equal(text("<b> & ]]> \r \t\n é 🐕"), "&lt;b&gt; &amp; ]]&gt; &#13; \t\n é 🐕")
  assert.equal(text("\u0001\u0008\u000b\u001f\ufffe\uffff"), "\ufffd".repeat(6))
})

test("a list is one element with one element per item, however many there are", async () => {
  const open = '<?xml version="1.0" encoding="UTF-8"?>\n<pets>'
  const write = async (names: readonly unknown[]) =>
    (await writeXmlList(Names, { json: json([...names]) }, Number.POSITIVE_INFINITY)).xml
  assert.equal(await write([]), `${open}</pets>`)
  const many = Array.from({ length: 20_000 }, (_, n) => ({ name: `${n}` }))
  assert.equal(await write(many), `${writeXml(Names, many)}`)
})

test("a list stops before the item that would exceed the size limit, and has at least one", async () => {
  const many = Array.from({ length: 100 }, () => ({ name: "Zażółć &" }))
  const bytes = Buffer.byteLength(writeXml(Names, many.slice(0, 7)))
  for (const [bytesMax, count] of [
    [bytes, 7],
    [bytes - 1, 6],
    [1, 1],
  ] as const)
    assert.deepEqual(await writeXmlList(Names, { json: json(many) }, bytesMax), {
      xml: writeXml(Names, many.slice(0, count)),
      last: many[count - 1],
    })
})

test("a long list yields to other work (slow)", async () => {
  const item = { name: "&".repeat(100_000) }
  let turns = 0
  const counting = setInterval(() => turns++)
  await writeXmlList(Names, { json: json(Array(100).fill(item)) }, Number.POSITIVE_INFINITY)
  clearInterval(counting)
  assert.ok(turns > 5, `${turns} turns`)
})

test("a problem is in the namespace of RFC 9457, its lists in elements named i", () => {
  assert.equal(
    writeProblemXml({ status: 422, errors: [{ pointer: "/a", code: "x" }], "violated-policies": ["minute", "<day>"] }),
    '<?xml version="1.0" encoding="UTF-8"?>\n<problem xmlns="urn:ietf:rfc:7807"><status>422</status>' +
      "<errors><i><pointer>/a</pointer><code>x</code></i></errors>" +
      "<violated-policies><i>minute</i><i>&lt;day&gt;</i></violated-policies></problem>",
  )
})

test("a value has the element names of its schema, without members that it lacks", () => {
  const Tag = Type.Object({ id: Type.Integer(), name: Type.Optional(Type.String()) })
  const Pet = Type.Object({
    tag: Tag,
    tags: Type.Array(Tag, { xml: { name: "labels" } }),
    names: Type.Array(Type.String({ xml: { name: "n" } })),
  })
  assert.equal(
    writeXml(Pet, { tag: { id: 1 }, tags: [{ id: 2, name: "a" }], names: ["b", "c"], other: 1 }),
    '<?xml version="1.0" encoding="UTF-8"?>\n<value><tag><id>1</id></tag><labels><labels><id>2</id><name>a</name></labels></labels>' +
      "<names><n>b</n><n>c</n></names></value>",
  )
  assert.equal(elementName(undefined, "a"), "a")
})

test("a list that is complete is not cut", async () => {
  const names = [{ name: "a" }, { name: "b" }]
  assert.deepEqual(await writeXmlList(Names, { json: json(names) }, Number.POSITIVE_INFINITY), {
    xml: writeXml(Names, names),
    last: undefined,
  })
  assert.deepEqual(
    (await writeXmlList(Type.Array(Type.String()), { json: json(["a"]) }, 1)).xml.split("\n")[1],
    "<values><values>a</values></values>",
  )
})

test("a problem may have members that are objects or null", () => {
  assert.equal(
    writeProblemXml({ a: { b: [{ c: 1 }] }, d: null }).split("\n")[1],
    '<problem xmlns="urn:ietf:rfc:7807"><a><b><i><c>1</c></i></b></a><d>null</d></problem>',
  )
})
