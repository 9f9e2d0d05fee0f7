import assert from "node:assert/strict"
import { test } from "node:test"
import { recordIntervals } from "../../test/harness/clock.ts"
import { mockTimeouts } from "../../test/harness/timeouts.ts"
import { turns } from "../../test/harness/turns.ts"
import type { Database } from "../domain/ports/store.ts"
import { CannotStart } from "../kernel/cannot-start.ts"
import { openMembership } from "./replicas.ts"

type Answer = { live: number; isSole: boolean }

/** A database that counts these replicas at each heartbeat, the last of them from then on; records calls and lines of the log. */
function database(isShared: boolean, ...found: (Answer | Error)[]) {
  const calls: string[] = []
  const lines: string[] = []
  let current: Answer = { live: 1, isSole: true }
  const tx = {
    replicas: {
      async beat(id: string) {
        calls.push("beat")
        ids.add(id)
        const next = found.shift() ?? current
        if (next instanceof Error) throw next
        current = next
        return current.live
      },
      leave: async () => void calls.push("leave"),
    },
    leases: {
      async take(name: string, _: string, ms: number) {
        calls.push(`take ${name} ${ms}`)
        return current.isSole
      },
      release: async (name: string) => void calls.push(`release ${name}`),
    },
  }
  const ids = new Set<string>()
  const store = {
    isShared,
    transaction: (work: (parts: unknown) => Promise<unknown>) => work(tx),
  } as unknown as Database
  const note = (level: string) => (_: unknown, text?: string) => void lines.push(`${level} ${text ?? _}`)
  return { store, log: { error: note("error"), warn: note("warn") }, calls, lines, ids, found }
}

const one = { live: 1, isSole: true }
const retreat = ["release sole replica", "leave"]
const take = "take sole replica 15000"

test("the only process of a database that is not shared is alone without asking", async () => {
  const { store, log, calls } = database(false)
  const membership = await openMembership(store, log)
  assert.equal(membership.live(), 1)
  await membership.close()
  assert.deepEqual(calls, [])
})

test("a replica that must be alone waits for others to leave, and steps back meanwhile", async (t) => {
  t.mock.method(performance, "now", () => 1000)
  for (const first of [
    { live: 2, isSole: true },
    { live: 1, isSole: false },
  ]) {
    const { store, log, calls } = database(true, first, one)
    const membership = await openMembership(store, log, { patienceMs: 1 })
    assert.equal(membership.live(), 1)
    assert.deepEqual(calls, ["beat", take, ...retreat, "beat", take])
    await membership.close()
  }
})

test("a replica that must be alone reports when another one comes, once", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] })
  const { store, log, calls, lines, found, ids } = database(true, one)
  const membership = await openMembership(store, log)
  assert.deepEqual([calls.splice(0), [...ids]], [["beat", take], [membership.id]])

  const beat = async (next: Answer | Error) => {
    found.push(next)
    t.mock.timers.tick(5_000)
    await turns()
    return [membership.live(), ...lines.splice(0)]
  }
  t.mock.timers.tick(4_999)
  assert.deepEqual(calls.splice(0), [])
  t.mock.timers.tick(1)
  await turns()
  assert.deepEqual(calls.splice(0), ["beat", take])
  const alarm = "error another replica serves this database: limits are counted by each of them"
  assert.deepEqual(await beat({ live: 2, isSole: false }), [2, alarm])
  assert.deepEqual(await beat({ live: 3, isSole: false }), [3], "once")
  assert.deepEqual(await beat(one), [1])
  assert.deepEqual(await beat({ live: 2, isSole: false }), [2, alarm])
  assert.deepEqual(await beat(new Error("away")), [2, "warn the heartbeat was not stored"])
  calls.length = 0
  await membership.close()
  t.mock.timers.tick(60_000)
  assert.deepEqual(calls, retreat)
  assert.deepEqual(await membership.metrics[0]?.read(), [{ labels: {}, value: 2 }])
})

test("a replica whose first heartbeat after its start finds another one reports it", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] })
  const { store, log, lines } = database(true, one, { live: 2, isSole: false })
  const membership = await openMembership(store, log)
  t.mock.timers.tick(5_000)
  await turns()
  assert.deepEqual(lines, ["error another replica serves this database: limits are counted by each of them"])
  await membership.close()
})

test("heartbeats do not keep a process running", async (t) => {
  const timers = recordIntervals(t)
  const { store, log } = database(true, one)
  const membership = await openMembership(store, log)
  assert.deepEqual(
    timers.map((timer) => timer.hasRef()),
    [false],
  )
  await membership.close()
})

test("a replica among others needs no lease, and does not report them", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] })
  const { store, log, calls, lines } = database(true, { live: 3, isSole: false })
  const membership = await openMembership(store, log, { isAlone: false })
  t.mock.timers.tick(5_000)
  await turns()
  assert.deepEqual([membership.live(), calls, lines], [3, ["beat", "beat"], []])
  await membership.close()
})

test("a process that is not alone after its patience does not start, and leaves", async () => {
  const { store, log, calls } = database(true, { live: 2, isSole: false })
  await assert.rejects(openMembership(store, log, { patienceMs: 0 }), (error: Error) => {
    assert.ok(error instanceof CannotStart)
    assert.match(error.message, /^Another Petstore serves this database\. .*PETSTORE_REDIS_URL/)
    return true
  })
  assert.equal(calls.at(-1), "leave")
})

test("the end of a replica that cannot be stored is a line of the log", async () => {
  const { store, log, lines } = database(true, one)
  const membership = await openMembership(store, log)
  await membership.close()
  assert.deepEqual(lines, [])
  const broken = database(true, one)
  const other = await openMembership(
    {
      ...broken.store,
      transaction: (work) =>
        broken.calls.length > 0 ? Promise.reject(new Error("away")) : broken.store.transaction(work),
    },
    broken.log,
    { isAlone: false },
  )
  await other.close()
  assert.deepEqual(broken.lines, ["warn the end of this replica was not stored"])
})

test("a process that is not alone asks twice a second, for 17 seconds unless it has another patience", async (t) => {
  const timers = mockTimeouts(t)
  let now = 1000
  t.mock.method(performance, "now", () => now)
  for (const [patienceMs, beats] of [
    [undefined, 36],
    [1_000, 4],
    [200, 3],
  ] as const) {
    const { store, log, calls } = database(true, { live: 2, isSole: false })
    let isRefused = false
    const options = patienceMs === undefined ? {} : { patienceMs }
    const opened = openMembership(store, log, options).catch((error: unknown) => {
      isRefused = error instanceof CannotStart
    })
    for (let n = 0; n < 100 && !isRefused; n++) {
      await turns()
      const step = Math.min(500, patienceMs ?? 500)
      now += step
      timers.tick(step)
    }
    await opened
    assert.ok(isRefused)
    assert.equal(calls.filter((call) => call === "beat").length, beats)
  }
})
