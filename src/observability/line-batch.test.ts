import assert from "node:assert/strict"
import { test } from "node:test"
import { batchLength, createLineBatch } from "./line-batch.ts"

function fixture() {
  const calls: string[] = []
  const lines = createLineBatch({
    write: (text) => calls.push(text),
    flush: (done) => {
      calls.push("flush")
      done?.()
    },
    flushSync: () => void calls.push("flushSync"),
  })
  return { lines, calls }
}

test("lines are handed on together and in order, after 200 ms or when they are a batch", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] })
  const { lines, calls } = fixture()
  lines.write("a\n")
  lines.write("b\n")
  t.mock.timers.tick(199)
  assert.deepEqual(calls, [])
  t.mock.timers.tick(1)
  assert.deepEqual(calls.splice(0), ["a\nb\n", "flush"])

  const long = "c".repeat(batchLength)
  lines.write(long)
  assert.deepEqual(calls.splice(0), [long])
  t.mock.timers.tick(1000)
  assert.deepEqual(calls, [], "nothing is left")
})

test("who must know that all is written is told, and nothing stays behind when the process ends", () => {
  const { lines, calls } = fixture()
  lines.write("a\n")
  let isWritten = false
  lines.flush(() => {
    isWritten = true
  })
  assert.deepEqual(calls.splice(0), ["a\n", "flush"])
  assert.equal(isWritten, true)

  lines.write("b\n")
  lines.flushSync()
  assert.deepEqual(calls.splice(0), ["b\n", "flushSync"])

  lines.write("c\n")
  lines.handOver()
  assert.deepEqual(calls, ["c\n"])
})
