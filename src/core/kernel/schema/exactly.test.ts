import assert from "node:assert/strict"
import { test } from "node:test"
import { exactly } from "./exactly.ts"
import { Type } from "./type.ts"

const Toy = Type.Object({
  id: Type.Integer(),
  owner: Type.Optional(Type.Object({ name: Type.String() })),
  parts: Type.Array(Type.Object({ name: Type.String() })),
})

test("keeps the fields of the schema, in its order, at every depth", () => {
  const wider: object = { x: 1, owner: { y: 2, name: "Ada" }, parts: [{ name: "wheel", z: 3 }], id: 7 }
  const toy = exactly(Toy, wider as { id: number; parts: { name: string }[] })
  assert.equal(JSON.stringify(toy), '{"id":7,"owner":{"name":"Ada"},"parts":[{"name":"wheel"}]}')
})

test("a field that the schema lacks does not compile, at any depth", () => {
  const toy = { id: 7, parts: [{ name: "wheel" }] }
  // @ts-expect-error
  assert.deepEqual(exactly(Toy, { ...toy, color: "red" }), toy)
  // @ts-expect-error
  assert.deepEqual(exactly(Toy, { ...toy, parts: [{ name: "wheel", color: "red" }] }), toy)
})
