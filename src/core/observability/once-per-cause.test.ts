import assert from "node:assert/strict"
import { test } from "node:test"
import pino from "pino"
import { manualClock } from "../../../test/harness/clock.ts"
import { OutcomeUnknown, StoreUnavailable } from "../domain/ports/store.ts"
import { oncePerCause } from "./once-per-cause.ts"

function fixture() {
  const clock = manualClock()
  const lines: { msg: string; leftOut?: number; err?: { message: string } }[] = []
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  return { clock, lines, log: oncePerCause(log, clock.steady) }
}

test("a storage failure in a thousand requests and the workers is one line a minute per cause, which counts the others", () => {
  const { clock, lines, log } = fixture()
  for (let n = 0; n < 1000; n++) {
    log.error({ err: new StoreUnavailable("the disk is full"), requestId: `${n}` }, "request failed")
    log.error(
      { err: new Error("wrapped", { cause: new StoreUnavailable("the disk is full") }) },
      "counts not stored yet",
    )
    log.error({ err: new OutcomeUnknown("the disk reported an error") }, "request failed")
  }
  assert.deepEqual(
    lines.map(({ err, leftOut }) => [err?.message, leftOut]),
    [
      ["the disk is full", undefined],
      ["the disk reported an error", undefined],
    ],
  )
  clock.advance(60_000)
  log.error({ err: new StoreUnavailable("the disk is full") }, "request failed")
  assert.deepEqual({ lines: lines.length, leftOut: lines[2]?.leftOut }, { lines: 3, leftOut: 1999 })
})

test("bugs, and lines without an error, are all written", () => {
  const { lines, log } = fixture()
  for (let n = 0; n < 3; n++) {
    log.error({ err: new TypeError("bug") }, "request failed")
    log.warn({ reason: "r" }, "Redis is away")
    log.warn("Redis is back")
    log.info("listening")
  }
  assert.equal(lines.length, 12)
})

test("a hundred causes are tracked; a further one clears them", () => {
  const { lines, log } = fixture()
  const failWith = (n: number) => log.error({ err: new StoreUnavailable(`cause ${n}`) }, "request failed")
  for (let round = 0; round < 2; round++) for (let n = 0; n < 100; n++) failWith(n)
  assert.equal(lines.length, 100)
  for (const n of [100, 0, 100]) failWith(n)
  assert.deepEqual(
    lines.slice(100).map(({ err }) => err?.message),
    ["cause 100", "cause 0"],
  )
})
