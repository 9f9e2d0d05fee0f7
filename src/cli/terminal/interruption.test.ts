import assert from "node:assert/strict"
import { EventEmitter } from "node:events"
import { test } from "node:test"
import { manualClock } from "../../../test/harness/clock.ts"
import { Interrupted } from "../command/command.ts"
import { interruptionSignal } from "./interruption.ts"

/** A process that keeps the codes it should exit with. */
class Signalled extends EventEmitter {
  readonly exits: number[] = []
  exit(code: number): void {
    this.exits.push(code)
  }
}

test("the first signal aborts, and a further one ends the process with its code, unless it is the same one again", () => {
  for (const [name, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const) {
    const [signalled, clock] = [new Signalled(), manualClock()]
    const signal = interruptionSignal(signalled, clock)
    assert.equal(signal.aborted, false)
    signalled.emit(name)
    assert.deepEqual([signal.aborted, signal.reason], [true, new Interrupted(name)])
    clock.advance(500)
    signalled.emit(name)
    signalled.emit("SIGINT")
    assert.deepEqual(signalled.exits, [])
    clock.advance(1)
    signalled.emit(name)
    assert.deepEqual(signalled.exits, [code])
    assert.deepEqual(signal.reason, new Interrupted(name))
  }
})
