import assert from "node:assert/strict"
import { test } from "node:test"
import { nullOmitter } from "./omit-nulls.ts"
import { nullable } from "./schema.ts"
import { Type } from "./type.ts"

const Part = Type.Object({ name: Type.String(), note: Type.Optional(Type.String()) })
const Whole = Type.Object({
  name: Type.String(),
  count: Type.Integer({ default: 1 }),
  note: Type.Optional(Type.String()),
  kind: Type.Optional(Type.Enum(["a", "b"])),
  fixed: Type.Optional(Type.Literal("x")),
  removable: Type.Optional(nullable(Type.String())),
  part: Type.Optional(Part),
  parts: Type.Optional(Type.Array(Part)),
  whole: Part,
})
const omitted = (schema: typeof Whole | typeof Parts, value: unknown) => {
  nullOmitter(schema)(value)
  return value
}
const Parts = Type.Array(Part)

test("an optional member that is null is omitted, at every depth", () => {
  const value = {
    name: "a",
    count: null,
    note: null,
    kind: null,
    fixed: null,
    part: { name: "b", note: null },
    parts: [{ name: "c", note: null }],
    whole: { name: "d", note: null },
  }
  const [part, parts, whole] = [{ name: "b" }, [{ name: "c" }], { name: "d" }]
  assert.deepEqual(omitted(Whole, value), { name: "a", part, parts, whole })
  assert.deepEqual(omitted(Whole, { part: null, parts: null }), {})
  assert.deepEqual(omitted(Parts, [{ name: "a", note: null }]), [{ name: "a" }])
})

test("required and nullable members, items and unknown members stay null", () => {
  const part = { name: null }
  const value = { name: null, removable: null, part, parts: [null, part], whole: null, unknown: null }
  assert.deepEqual(omitted(Whole, structuredClone(value)), value)
  for (const other of [null, 1, "text", [], [null], { part: [], parts: {}, whole: "text" }])
    assert.deepEqual(omitted(Whole, structuredClone(other)), other)
})

test("one optional member is omitted like several", () => {
  const value = { note: null }
  nullOmitter(Type.Object({ note: Type.Optional(Type.String()) }))(value)
  assert.deepEqual(value, {})
})
