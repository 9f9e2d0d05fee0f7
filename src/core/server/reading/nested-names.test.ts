import assert from "node:assert/strict"
import { test } from "node:test"
import { addField, baseOf, isNested, itemsWithin, type NestedField, type NestedFields } from "./nested-names.ts"

type Shown = { texts?: string[]; within?: Record<string, Shown> }

const show = ({ texts, within }: NestedField): Shown => ({
  ...(texts.length > 0 && { texts: [...texts] }),
  ...(within.size > 0 && { within: Object.fromEntries([...within].map(([name, field]) => [name, show(field)])) }),
})

function fieldsOf(...pairs: [name: string, text: string][]): NestedFields {
  const fields: NestedFields = new Map()
  for (const [name, text] of pairs) addField(fields, name, text)
  return fields
}

const within = (...path: string[]): Shown =>
  path.reduceRight<Shown>((inner, name) => ({ within: { [name]: inner } }), { texts: ["1"] })

test("a name has parts in brackets or after dots", () => {
  assert.deepEqual(["a", "", "a[0]", "a.b", "]"].map(isNested), [false, false, true, true, false])
  assert.deepEqual(["a", "", "a[0]", "a.b[c]", "[0]"].map(baseOf), ["a", "", "a", "a", ""])
})

for (const [name, field] of [
  ["a", { texts: ["1"] }],
  ["a[]", within("")],
  ["a[0][b]", within("0", "b")],
  ["a.0.b", within("0", "b")],
  ["a[0].b", within("0", "b")],
  ["a[1][2][3][4][5][6][7][8]", within("1", "2", "3", "4", "5", "6", "7", "8")],
  ["a[1][2][3][4][5][6][7][8][9]", within("]")],
  ["a[", within("]")],
  ["a[0", within("]")],
  ["a.", within("]")],
  ["a..b", within("]")],
  ["a[0]b", within("]")],
  ["a[[0]]", within("]")],
] as const)
  test(`a text under ${name} belongs to a`, () =>
    assert.deepEqual(show(fieldsOf([name, "1"]).get("a") as NestedField), field))

test("texts of one name are kept in order, beside those within it", () => {
  const fields = fieldsOf(["a", "1"], ["a[b]", "2"], ["a", "3"], ["c", "4"], ["a.b", "5"])
  assert.deepEqual([...fields.keys()], ["a", "c"])
  assert.deepEqual(show(fields.get("a") as NestedField), { texts: ["1", "3"], within: { b: { texts: ["2", "5"] } } })
  assert.deepEqual(show(fields.get("c") as NestedField), { texts: ["4"] })
})

const itemsOf = (...pairs: [name: string, text: string][]) =>
  itemsWithin(fieldsOf(...pairs).get("a") as NestedField)?.map(show)

test("the items of a list are those with numbers, by number, then the others in order", () => {
  assert.deepEqual(itemsOf(["a", "1"]), [])
  assert.deepEqual(itemsOf(["a[]", "1"], ["a[10]", "2"], ["a[9]", "3"], ["a[]", "4"]), [
    { texts: ["3"] },
    { texts: ["2"] },
    { texts: ["1"] },
    { texts: ["4"] },
  ])
})

test("the nth texts of the members of items without a number belong together", () => {
  const pairs: [string, string][] = [
    ["a[][id]", "1"],
    ["a[][id]", "2"],
    ["a[][name]", "x"],
    ["a[]", "text"],
  ]
  assert.deepEqual(itemsOf(...pairs), [
    { texts: ["text"] },
    { within: { id: { texts: ["1"] }, name: { texts: ["x"] } } },
    { within: { id: { texts: ["2"] } } },
  ])
})

test("a field with another name within it, or with items of items without a number, is no list", () => {
  assert.equal(itemsOf(["a[0]", "1"], ["a[b]", "2"]), undefined)
  assert.equal(itemsOf(["a[1x]", "1"]), undefined)
  assert.equal(itemsOf(["a[][id]", "1"], ["a[][tags][0]", "2"]), undefined)
})
