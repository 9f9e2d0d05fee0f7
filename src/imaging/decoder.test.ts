import assert from "node:assert/strict"
import childProcess from "node:child_process"
import { EventEmitter } from "node:events"
import { type TestContext, test } from "node:test"
import { applyToImports } from "../../test/harness/builtins.ts"
import { turns } from "../../test/harness/turns.ts"
import type { Decoded } from "../domain/ports/decoder.ts"
import { Problem } from "../kernel/problem.ts"
import { type DecoderLimits, decoderProcesses } from "./decoder.ts"
import { retirementBytes } from "./decoder-memory.ts"
import type { DecoderReport } from "./worker.ts"

const decoded = { width: 8, height: 8 } as Decoded

/** A child process that reports when the test says so. */
class Child extends EventEmitter {
  connected = true
  sent: unknown[] = []
  killed: unknown[] = []
  unref() {}
  send(job: unknown) {
    this.sent.push(job)
  }
  kill(signal: unknown) {
    this.killed.push(signal)
  }
  report(report: DecoderReport) {
    this.emit("message", report)
  }
  end() {
    this.connected = false
    this.emit("exit", null, "SIGKILL")
  }
}

/** Decoders whose processes the test plays. */
function playProcesses(t: TestContext, limits: Partial<DecoderLimits>) {
  const children: Child[] = []
  t.mock.method(childProcess, "fork", () => {
    const child = new Child()
    children.push(child)
    return child
  })
  applyToImports(t)
  t.after(() => {
    for (const child of children) child.end()
  })
  const decoder = decoderProcesses({ processes: 1, ...limits })
  const outcomes: unknown[] = []
  return {
    decoder,
    children,
    outcomes,
    /** Sends an image, of this account. */
    decode(accountId = 1) {
      decoder.decode("file", "directory", accountId).then(
        (outcome) => outcomes.push(outcome instanceof Problem ? outcome.code : outcome),
        (error: unknown) => outcomes.push(error instanceof Problem ? error.code : error),
      )
      return turns()
    },
    /** The newest process reports this, and what follows from it has happened. */
    async report(report: DecoderReport) {
      children.at(-1)?.report(report)
      await turns()
    },
  }
}

const ready = { kind: "ready" } as const
const done = (memoryBytes: number) => ({ kind: "decoded", decoded, memoryBytes }) as const

test("a process that uses too much memory ends, and the next image waits until its memory is free", async (t) => {
  const { children, outcomes, decode, report } = playProcesses(t, {})
  await decode()
  await report(ready)
  await report(done(retirementBytes))
  assert.deepEqual(outcomes.splice(0), [decoded])
  await decode()
  await decode(2)
  assert.deepEqual([children.length, children[0]?.sent.length], [1, 2], "one that uses so much is used again")

  await report(done(retirementBytes + 1))
  assert.deepEqual([children[0]?.killed, outcomes, children.length], [["SIGKILL"], [], 1])
  children[0]?.end()
  await turns()
  assert.deepEqual([outcomes, children.length], [[decoded], 2])
})

test("a process ends when it had no image for the idle time", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] })
  const { children, decode, report } = playProcesses(t, { idleMs: 1_000 })
  await decode()
  await report(ready)
  await report(done(1))
  t.mock.timers.tick(999)
  await decode()
  await report(done(1))
  t.mock.timers.tick(999)
  assert.deepEqual(children[0]?.killed, [], "it had another one meanwhile")
  t.mock.timers.tick(1)
  assert.deepEqual(children[0]?.killed, ["SIGKILL"])
  await decode()
  assert.equal(children.length, 2)
})

test("a process that cannot be started, or fails later, breaks nothing but its image", async (t) => {
  const { children, outcomes, decode, report } = playProcesses(t, {})
  await decode()
  for (let n = 0; n < 2; n++) children[0]?.emit("error", new Error("spawn ENOMEM"))
  await turns()
  assert.deepEqual(outcomes.splice(0), ["unavailable"])
  await decode()
  await report(ready)
  assert.equal(children.length, 2)
  children[1]?.end()
  await turns()
  assert.deepEqual(outcomes, ["unreadable-image"])
})

test("what failed on the machine is not the fault of the image", async (t) => {
  const { outcomes, decode, report } = playProcesses(t, {})
  await decode()
  await report(ready)
  await report({ kind: "failed", reason: "no space", memoryBytes: 1 })
  await decode()
  await report({ kind: "refused", code: "unsupported-image", detail: "It is a text", memoryBytes: 1 })
  assert.deepEqual(
    outcomes.map((outcome) => (outcome instanceof Error ? outcome.message : outcome)),
    ["no space", "unsupported-image"],
  )
})

test("an image that takes too long ends its process, and so does the end of the service", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] })
  const { decoder, children, outcomes, decode, report } = playProcesses(t, { timeoutMs: 5_000 })
  await decode()
  await report(ready)
  t.mock.timers.tick(4_999)
  assert.deepEqual(children[0]?.killed, [])
  t.mock.timers.tick(1)
  assert.deepEqual(children[0]?.killed, ["SIGKILL"])
  children[0]?.end()
  await turns()
  assert.deepEqual(outcomes, ["unreadable-image"])
  await decode()
  await report(ready)
  decoder[Symbol.dispose]()
  assert.deepEqual(
    children.map(({ killed }) => killed.length),
    [1, 1],
    "one that has ended is not killed again",
  )
})
