import assert from "node:assert/strict"
import { test } from "node:test"
import { recordIntervals } from "../../test/harness/clock.ts"
import type { Database } from "../domain/ports/store.ts"
import { startMaintenance } from "./maintenance.ts"

type Parts = Parameters<typeof startMaintenance>[0]

/** Maintenance whose own chores find nothing to do, with another chore; records what runs. */
function maintenance() {
  const events: string[] = []
  const state = { isOurs: true, isTrusted: true, fails: false, isReleasable: true }
  const nothing: unknown = new Proxy({}, { get: () => nothingToDo })
  const nothingToDo = async () => 0
  const leases = {
    async take(...given: unknown[]) {
      events.push(`take ${given.join(" ")}`)
      return state.isOurs
    },
    async release(...given: unknown[]) {
      events.push(`release ${given.join(" ")}`)
      if (!state.isReleasable) throw new Error("away")
    },
  }
  const images = { markUnreferenced: nothingToDo, forgetUnreferenced: async () => [] }
  const known: Record<string, unknown> = { leases, images }
  const tx = new Proxy({}, { get: (_, noun) => known[String(noun)] ?? nothing })
  const store = {
    isShared: false,
    transaction: (work: (parts: unknown) => Promise<unknown>) => work(tx),
    async compact() {
      events.push("compact")
      return 0
    },
    orders: { waiting: async () => [] },
    images: {},
    pets: {},
  } as unknown as Database
  async function* none() {}
  const parts = {
    store,
    log: {
      error: (facts: { chore: string }, text: string) => void events.push(`error ${facts.chore} ${text}`),
      info: () => undefined,
      warn: () => undefined,
    },
    clock: { now: () => 1e12 },
    blobs: {
      keptBefore: none,
      trashed: none,
      emptyTrash: async () => 0,
      clearStages: async (before: number) => void events.push(`stages ${before}`),
    },
    retention: {},
    holder: "me",
    servingSince: 1e12 - 5,
    clockWatch: {
      check: async () => void events.push("clock"),
      isTrusted: () => state.isTrusted,
      isDoubted: () => !state.isTrusted,
      forget: () => void events.push("forget"),
    },
    hashCheck: { checkHashes: async () => void events.push("hashes") },
  } as unknown as Parts
  const chore = async function another() {
    events.push("another")
    if (state.fails) throw new Error("no")
  }
  return { parts, store, events, state, chore }
}

const take = "take maintenance me 720000"

async function roundOf({ events }: { events: string[] }): Promise<string[]> {
  for (let n = 0; n < 200; n++) await new Promise(setImmediate)
  return events.splice(0).filter((event) => event !== take)
}

test("every chore runs at once and every ten minutes, each under the lease, until it is stopped", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] })
  const made = maintenance()
  const stop = startMaintenance(made.parts, [made.chore])
  const round = ["clock", "another", `stages ${1e12 - 5}`, "compact", "hashes"]
  for (let n = 0; n < 200; n++) await new Promise(setImmediate)
  assert.equal(made.events.filter((event) => event === take).length, 8, "before each of the chores")
  assert.deepEqual(await roundOf(made), round)
  t.mock.timers.tick(10 * 60_000 - 1)
  assert.deepEqual(await roundOf(made), [])
  t.mock.timers.tick(1)
  assert.deepEqual(await roundOf(made), round)
  await stop()
  assert.deepEqual(made.events.splice(0), ["release maintenance me"])
  t.mock.timers.tick(20 * 60_000)
  assert.deepEqual(await roundOf(made), [])
})

test("a round that is running ends before maintenance does, and the lease is released after it", async () => {
  const { parts, events } = maintenance()
  const stop = startMaintenance(parts, [
    async () => {
      for (let n = 0; n < 50; n++) await new Promise(setImmediate)
      events.push("slow")
    },
  ])
  await stop()
  assert.deepEqual(events.filter((event) => event !== take).slice(-3), ["compact", "hashes", "release maintenance me"])
  assert.ok(events.includes("slow"))
})

test("maintenance does not keep a process running", async (t) => {
  const timers = recordIntervals(t)
  const stop = startMaintenance(maintenance().parts)
  assert.deepEqual(
    timers.map((timer) => timer.hasRef()),
    [false],
  )
  await stop()
})

test("while the clock is doubted, nothing is removed by age, and the other chores run", async () => {
  const made = maintenance()
  made.state.isTrusted = false
  const stop = startMaintenance(made.parts, [made.chore])
  assert.deepEqual(await roundOf(made), ["clock", "compact", "hashes"])
  await stop()
})

test("a process without the lease does nothing, and forgets its verdict about the clock", async () => {
  const made = maintenance()
  made.state.isOurs = false
  const stop = startMaintenance(made.parts, [made.chore])
  assert.deepEqual(await roundOf(made), ["forget"])
  made.state.isReleasable = false
  await stop()
})

test("a chore that fails is logged by its name, and the next ones run", async () => {
  const made = maintenance()
  made.state.fails = true
  const stop = startMaintenance(made.parts, [made.chore])
  assert.deepEqual((await roundOf(made)).slice(0, 3), ["clock", "another", "error another a chore failed"])
  await stop()
})

test("on a shared database, other processes may be uploading since before this one serves", async () => {
  const made = maintenance()
  const stop = startMaintenance({ ...made.parts, store: { ...made.store, isShared: true } })
  assert.ok((await roundOf(made)).includes(`stages ${1e12 - 60 * 60_000}`))
  await stop()
})
