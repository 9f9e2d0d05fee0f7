import assert from "node:assert/strict"
import { test } from "node:test"
import { setImmediate as turn } from "node:timers/promises"
import { together } from "./together.ts"

test("work starts in order, and its results have that order", async () => {
  const started: string[] = []
  const after = (turns: number, name: string) => async () => {
    started.push(name)
    for (let n = 0; n < turns; n++) await turn()
    return name
  }
  assert.deepEqual(await together([after(3, "a"), after(0, "b"), () => "c"]), ["a", "b", "c"])
  assert.deepEqual(started, ["a", "b"])
})

test("it fails with the first error, thrown at once or later, and only when all work has ended", async () => {
  let ended = 0
  const slow = async () => {
    for (let n = 0; n < 5; n++) await turn()
    ended++
  }
  const fail = (message: string) => () => {
    throw new Error(message)
  }
  await assert.rejects(together([slow, fail("first"), fail("second"), slow]), /first/)
  assert.equal(ended, 2)
})
