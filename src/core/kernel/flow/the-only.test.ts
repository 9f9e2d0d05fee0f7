import assert from "node:assert/strict"
import { test } from "node:test"
import { theOnly } from "./the-only.ts"

test("there is exactly one result", () => {
  assert.equal(theOnly([7]), 7)
  assert.throws(() => theOnly([]), { message: "0 results for one input" })
  assert.throws(() => theOnly([1, 2]), { message: "2 results for one input" })
})
