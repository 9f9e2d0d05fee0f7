import assert from "node:assert/strict"
import { test } from "node:test"
import { Problem } from "../../kernel/problem.ts"
import { countItems } from "./count-items.ts"

test("each item after the first is counted, and replaced by the problem of a plan that is used up", async () => {
  const usedUp = new Problem("quota-exceeded", "")
  let taken = 0
  const take = async () => (++taken > 2 ? usedUp : undefined)
  assert.deepEqual(await countItems(["a", "b", "c", "d"], take), ["a", "b", "c", usedUp])
  assert.equal(taken, 3)
  assert.deepEqual([await countItems(["a"], take), await countItems([], take), taken], [["a"], [], 3])
})
