import assert from "node:assert/strict"
import { test } from "node:test"
import { checkOf } from "./check.ts"
import { closeSchema, isClosed } from "./close-schema.ts"
import { type JsonSchema, Type } from "./type.ts"

test("unknown members violate a closed schema at every depth, except those that are accepted and ignored", () => {
  const Pet = Type.Object({ tags: Type.Array(Type.Object({ id: Type.Integer() })) }, { "x-ignored": ["links"] })
  const closed = closeSchema(Pet)
  assert.deepEqual([isClosed(Pet as JsonSchema), isClosed(closed as JsonSchema)], [false, true])
  const pointersOf = (value: object) =>
    checkOf(closed)(value).map((violation) => ("pointer" in violation ? violation.pointer : ""))
  assert.deepEqual(pointersOf({ tags: [{ id: 1 }], links: {} }), [])
  assert.deepEqual(pointersOf({ tags: [{ id: 1, name: "a", links: 1 }], other: 1 }), [
    "/other",
    "/tags/0/name",
    "/tags/0/links",
  ])
  assert.equal(closeSchema(Pet), closed)
  assert.equal(isClosed(closeSchema(Type.Array(Pet)) as JsonSchema), false)
})
