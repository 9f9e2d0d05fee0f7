import assert from "node:assert/strict"
import { test } from "node:test"
import { nextRequestId, requestIdOf } from "./request-id.ts"

test("the caller's own id is taken if it needs no escape and has up to 128 characters", () => {
  for (const id of ["a", "A-1.2:3+4/5=6@7_8", "x".repeat(128)]) assert.equal(requestIdOf(id), id)
  for (const asked of [undefined, "", "x".repeat(129), "a b", 'a"', "é", ["a"]])
    assert.notEqual(requestIdOf(asked), asked, `${asked}`)
})

test("ids of one process have one random prefix and a count", () => {
  const [first, second] = [nextRequestId(), requestIdOf(undefined)].map((id) => id.split(/-(?=[^-]*$)/))
  assert.equal(first?.[0]?.length, 12)
  assert.equal(second?.[0], first?.[0])
  assert.equal(Number.parseInt(second?.[1] ?? "", 36), Number.parseInt(first?.[1] ?? "", 36) + 1)
})
