import assert from "node:assert/strict"
import { test } from "node:test"
import { changesBetween } from "./changes.ts"

const ofBodies = (before: string | undefined, after: string | undefined, doDiffer = true) =>
  changesBetween(
    { headers: {}, ...(before !== undefined && { body: before }) },
    { headers: {}, ...(after !== undefined && { body: after }) },
    doDiffer,
  )

test("headers that were added, changed and left out are named by pointers, others are not", () => {
  const before = { headers: { same: "1", "x-a": "1", "x/b~": "2" } }
  const after = { headers: { same: "1", "x-a": "2", constructor: "3" } }
  assert.deepEqual(changesBetween(before, after, false), [
    { pointer: "/headers/x-a", before: "1", after: "2" },
    { pointer: "/headers/x~1b~0", before: "2" },
    { pointer: "/headers/constructor", after: "3" },
  ])
})

test("of JSON objects the members are compared in any order, and shown as JSON", () => {
  assert.deepEqual(ofBodies('{"a":1,"b":[2],"__proto__":3}', '{"b":[2,3],"a":1,"c":"x"}'), [
    { pointer: "/body/b", before: "[2]", after: "[2,3]" },
    { pointer: "/body/__proto__", before: "3" },
    { pointer: "/body/c", after: '"x"' },
  ])
})

test("any other bodies differ as a whole, also those that differ in what is not shown", () => {
  for (const [before, after] of [
    ["a", "b"],
    ["[1]", "[2]"],
    ['{"a":1}', '{ "a": 1 }'],
    ['{"a":1}', "null"],
  ] as const)
    assert.deepEqual(ofBodies(before, after), [{ pointer: "/body", before, after }])
  assert.deepEqual(ofBodies(undefined, "a"), [{ pointer: "/body", after: "a" }])
  assert.deepEqual(ofBodies('{"password":"***"}', '{"password":"***"}'), [{ pointer: "/body" }])
  assert.deepEqual(ofBodies("a", "a", false), [])
  assert.deepEqual(ofBodies(undefined, undefined, false), [])
})

test("texts are cut after 200 characters, and there are at most 20 changes", () => {
  assert.deepEqual(ofBodies("a".repeat(200), `${"b".repeat(199)}😀`), [
    { pointer: "/body", before: "a".repeat(200), after: `${"b".repeat(199)}\ufffd…` },
  ])
  const headers = Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`x-${n}`, ""]))
  assert.equal(changesBetween({ headers }, { headers: {} }, false).length, 20)
})
