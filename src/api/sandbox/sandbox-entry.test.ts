import assert from "node:assert/strict"
import { test } from "node:test"
import { manualClock } from "../../../test/harness/clock.ts"
import {
  closeUnused,
  leave,
  type NamedSandbox,
  type SandboxEntry,
  showSandbox,
  unplanned,
  whileInUse,
} from "./sandbox-entry.ts"

const time = "2026-01-01T00:00:00.000Z"

function entryOf(given: Partial<SandboxEntry> = {}) {
  const events: string[] = []
  const opened: Pick<NamedSandbox, "readClock" | "bytes" | "drain" | "close"> = {
    readClock: () => ({ time, aheadSeconds: 0, frozen: false }),
    bytes: () => 123,
    drain: async () => void events.push("drain"),
    close: async () => void events.push("close"),
  }
  const entry: SandboxEntry = {
    name: "one",
    owner: "a",
    idleMs: 3_600_000,
    copiedFrom: undefined,
    madeAt: 0,
    received: 3,
    requests: 0,
    usedAt: 0,
    bytes: 0,
    opening: Promise.resolve(opened as NamedSandbox),
    opened: opened as NamedSandbox,
    left() {},
    ...given,
  }
  return { entry, events, opened: opened as NamedSandbox }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test("a sandbox is shown with its times as those of the service", () => {
  const clock = manualClock()
  const madeAt = clock.steady.now()
  clock.advance(5000)
  const usedAt = clock.steady.now()
  clock.advance(2000)
  clock.jump(60_000)
  const { entry, opened } = entryOf({ madeAt, usedAt })
  const shown = {
    name: "one",
    url: "https://petstore.example/s/one",
    createdAt: "2026-01-01T00:01:00.000Z",
    lastRequestAt: "2026-01-01T00:01:05.000Z",
    requests: 3,
    clock: { time, aheadSeconds: 0, frozen: false },
    bytes: 123,
    idle: "PT1H",
  }
  const show = (one: SandboxEntry) =>
    showSandbox(one, opened, { clock, steady: clock.steady }, "https://petstore.example")
  assert.deepEqual(show(entry), shown)
  assert.deepEqual(show({ ...entry, copiedFrom: "two" }), { ...shown, copiedFrom: "two" })
})

test("a sandbox is in use until the work has ended, also when it fails", async () => {
  const clock = manualClock()
  const { entry, opened } = entryOf()
  let left = 0
  entry.left = () => left++
  const outcome = await whileInUse(clock.steady, entry, async (given) => {
    assert.deepEqual([given === opened, entry.requests], [true, 1])
    clock.advance(500)
    return "done"
  })
  assert.deepEqual([outcome, entry.requests, entry.usedAt, left], ["done", 0, clock.steady.now(), 1])
  await assert.rejects(
    whileInUse(clock.steady, entry, async () => {
      throw new Error("failed")
    }),
    /failed/,
  )
  assert.deepEqual([entry.requests, left], [0, 2])
  entry.requests = 2
  leave(clock.steady, entry)
  assert.deepEqual([entry.requests, left], [1, 2])
})

test("a sandbox is closed once its requests have their responses", async () => {
  const idle = entryOf()
  await closeUnused(idle.entry)
  assert.deepEqual(idle.events, ["drain", "close"])
  const used = entryOf({ requests: 1 })
  const closing = closeUnused(used.entry)
  await turn()
  assert.deepEqual(used.events, ["drain"])
  leave({ now: () => 0 }, used.entry)
  await closing
  assert.deepEqual(used.events, ["drain", "close"])
  const failed = Promise.reject(new Error("failed"))
  await closeUnused(entryOf({ opening: failed, requests: 1 }).entry)
})

test("of an unplanned sandbox only the name is known, and its time is the real one", () => {
  assert.deepEqual(unplanned("one"), {
    name: "one",
    seed: undefined,
    from: undefined,
    data: undefined,
    start: { at: undefined, isFrozen: false },
    idleMs: undefined,
  })
})
