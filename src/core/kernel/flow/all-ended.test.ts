import assert from "node:assert/strict"
import { test } from "node:test"
import { allEnded } from "./all-ended.ts"

test("a rejection waits for all other work to end", async () => {
  let end = (_: number) => {}
  let isRejected = false
  const other = new Promise<number>((resolve) => {
    end = resolve
  })
  const ended = allEnded([Promise.reject(new Error("x")), other]).catch((error: Error) => {
    isRejected = true
    return error.message
  })
  await new Promise(setImmediate)
  assert.equal(isRejected, false)
  end(1)
  assert.equal(await ended, "x")
  assert.deepEqual(await allEnded([Promise.resolve(1), other]), [1, 1])
})
