import assert from "node:assert/strict"
import { EventEmitter } from "node:events"
import { test } from "node:test"
import { batchLength, createLineBatch } from "./line-batch.ts"

function fixture() {
  const calls: string[] = []
  const events = new EventEmitter()
  const state = { hasSpace: true }
  const lines = createLineBatch(
    {
      write(text) {
        calls.push(text)
        return state.hasSpace
      },
      on: (event, listener) => events.on(event, listener),
      flush: (done) => {
        calls.push("flush")
        done?.()
      },
      flushSync: () => void calls.push("flushSync"),
    },
    (count) => lines.write(`${count} lost\n`),
  )
  const drain = () => {
    state.hasSpace = true
    events.emit("drain")
  }
  return { lines, calls, state, drain }
}

test("lines are passed on together and in order, after 200 ms or when they fill a batch", (t) => {
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

test("flush calls back when all is written, and no line is left when the process ends", () => {
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

test("while the destination writes, lines wait and are passed on as one text", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] })
  const { lines, calls, state, drain } = fixture()
  const long = "c".repeat(batchLength)
  state.hasSpace = false
  for (let n = 0; n < 4; n++) lines.write(long)
  t.mock.timers.tick(1000)
  assert.deepEqual(calls.splice(0), [long])
  drain()
  assert.deepEqual(calls.splice(0), [long.repeat(3)])

  state.hasSpace = false
  lines.write(long)
  lines.write("less than a batch\n")
  drain()
  assert.deepEqual(calls.splice(0), [long])
  t.mock.timers.tick(200)
  assert.deepEqual(calls, ["less than a batch\n", "flush"])
})
