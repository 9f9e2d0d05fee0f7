import assert from "node:assert/strict"
import { test } from "node:test"
import { inGroups } from "./in-groups.ts"

test("items are grouped in order; the last group may be smaller, and none is empty", async () => {
  for (const [items, groups] of [
    [[], []],
    [[1], [[1]]],
    [[1, 2], [[1, 2]]],
    [
      [1, 2, 3],
      [[1, 2], [3]],
    ],
  ] as const)
    assert.deepEqual(await Array.fromAsync(inGroups(items, 2)), groups)
})
