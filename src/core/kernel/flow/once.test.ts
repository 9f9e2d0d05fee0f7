import assert from "node:assert/strict"
import { test } from "node:test"
import { once } from "./once.ts"

test("a result is computed with the first call and kept, also when it is undefined", () => {
  let calls = 0
  const first = once(() => {
    calls++
    return undefined
  })
  assert.equal(calls, 0)
  assert.deepEqual([first(), first(), calls], [undefined, undefined, 1])
})
