import assert from "node:assert/strict"
import { test } from "node:test"
import { Type } from "../../kernel/schema/type.ts"
import { lenientCheck } from "./lenient-check.ts"

test("null counts as absent for optional members only", () => {
  const check = lenientCheck(Type.Object({ a: Type.String(), b: Type.Optional(Type.String()) }))
  const value = { a: "x", b: null }
  assert.deepEqual(check(value), [])
  assert.deepEqual(value, { a: "x" })
  assert.deepEqual(
    check({ a: null }).map(({ code }) => code),
    ["wrong-type"],
  )
})
