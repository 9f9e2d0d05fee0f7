import assert from "node:assert/strict"
import { test } from "node:test"
import { exchangeOf } from "../../../test/harness/exchange.ts"
import { houseOf } from "../../../test/harness/named-sandboxes.ts"
import type { SandboxPlan } from "../../domain/sandbox/model.ts"
import type { Making } from "./sandbox-entry.ts"

const turn = () => new Promise((resolve) => setImmediate(resolve))

const pet = (name: string) => `/s/${name}/api/v3/pet/1`

test("the first request that names a sandbox makes it, and later ones enter it", async (t) => {
  const { visit, enter, events, makings, names, sandboxes, clock } = houseOf(t)
  assert.deepEqual([await visit(pet("one")), await visit(pet("one")), names()], ["/s/one", "/s/one", ["one"]])
  assert.deepEqual(events, ["limit anonymous", "open one"])
  const { house: own, forks, ...making } = makings[0] as Making
  assert.deepEqual(making, { name: "one", seed: undefined, data: undefined, start: { at: undefined, isFrozen: false } })
  assert.ok(own && forks)
  assert.equal(await visit("/api/v3/pet/1"), undefined)
  assert.equal(await visit(pet("two"), { method: "OPTIONS" }), undefined)
  assert.equal(await visit(pet("one"), { method: "OPTIONS" }), "/s/one")
  clock.advance(7000)
  const { exchange } = await enter("/s/one/console/pets")
  const [shown] = sandboxes.list()
  exchange.response.emit("close")
  assert.equal(shown?.lastRequestAt, "2026-01-01T00:00:07.000Z")
  assert.deepEqual([shown?.requests, shown?.url, shown?.idle, shown?.bytes], [3, "https://a.example/s/one", "PT3M", 10])
})

test("one that is opening takes requests together, and one that cannot be opened is forgotten", async (t) => {
  const { visit, names, state, makings } = houseOf(t)
  assert.deepEqual(await Promise.all([visit(pet("one")), visit(pet("one"))]), ["/s/one", "/s/one"])
  assert.equal(makings.length, 1)
  state.isBroken = true
  await assert.rejects(visit(pet("two")), /broken/)
  await turn()
  assert.deepEqual(names(), ["one"])
  state.isBroken = false
  assert.equal(await visit(pet("two")), "/s/two")
})

test("where there are none, a request that names one is refused", async (t) => {
  const { visit, sandboxes } = houseOf(t, { unavailableReason: "production has none" })
  const named = { headers: { "petstore-sandbox": "one" } }
  assert.deepEqual([await visit("/api/v3/pet/1", named), await visit(pet("one"))], ["invalid-parameter", undefined])
  assert.equal(sandboxes.house(), undefined)
})

test("a new one needs capacity, a key, and a service that can write", async (t) => {
  const { visit, state, names } = houseOf(t, { keys: [{ secret: "special-key" }] })
  assert.equal(await visit(pet("one")), "unauthorized")
  assert.equal(await visit(pet("one"), { headers: { api_key: "other" } }), "unauthorized")
  const keyed = { headers: { api_key: "special-key" } }
  state.isFull = true
  assert.equal(await visit(pet("one"), keyed), "overloaded")
  state.isFull = false
  state.refusesWrites = "the disk is full"
  assert.equal(await visit(pet("one"), keyed), "unavailable")
  assert.deepEqual(names(), [])
  state.refusesWrites = undefined
  assert.equal(await visit(pet("one"), keyed), "/s/one")
  state.refusesWrites = "the disk is full"
  assert.equal(await visit(pet("one")), "/s/one", "a read of one that is there")
  assert.equal(await visit(pet("one"), { method: "PUT" }), "unavailable")
})

test("an address has a maximum, an exempt one a larger one, and idle ones make way", async (t) => {
  const { visit, names, clock, events } = houseOf(t)
  for (const name of ["a1", "a2"]) await visit(pet(name))
  assert.equal(await visit(pet("a3")), "unavailable")
  const exempt = { address: "198.51.100.1" }
  for (const name of ["b1", "b2", "b3"]) assert.equal(await visit(pet(name), exempt), `/s/${name}`)
  assert.equal(await visit(pet("b4"), exempt), "unavailable")
  clock.advance(59_999)
  assert.equal(await visit(pet("a3")), "unavailable")
  clock.advance(1)
  assert.equal(await visit(pet("a3")), "/s/a3")
  assert.deepEqual(names(), ["a2", "b1", "b2", "b3", "a3"])
  await turn()
  assert.deepEqual(events.slice(-2), ["drain a1", "close a1"])
})

test("those that are too large together make way for one that is made or written", async (t) => {
  const { visit, names, sizes, clock } = houseOf(t)
  for (const name of ["a1", "a2"]) await visit(pet(name))
  sizes.set("a1", 95)
  await visit(pet("a1"), { method: "POST" })
  clock.advance(60_000)
  await visit(pet("a2"))
  assert.deepEqual(names(), ["a1", "a2"])
  assert.equal(await visit(pet("a2"), { method: "DELETE" }), "/s/a2")
  assert.equal(await visit(pet("a2"), { method: "PATCH" }), "/s/a2")
  assert.deepEqual(names(), ["a2"])
  sizes.set("a2", 100)
  await visit(pet("a2"), { method: "PUT" })
  assert.equal(await visit(pet("a2"), { method: "PUT" }), "unavailable", "it does not make way for itself")
  assert.equal(await visit(pet("a3")), "unavailable")
  assert.equal(await visit(pet("b1"), { address: "192.0.2.9" }), "/s/b1", "for an address that has less")
  assert.deepEqual(names(), ["b1"])
})

test("one is deleted after so long without a request, however long its last one took", async (t) => {
  const { enter, visit, names, sweep, clock } = houseOf(t)
  const { exchange } = await enter(pet("one"))
  await visit(pet("two"))
  sweep(180_000)
  assert.deepEqual(names(), ["one"])
  exchange.response.emit("close")
  clock.advance(179_999)
  sweep(0)
  assert.deepEqual(names(), ["one"])
  sweep(1)
  assert.deepEqual(names(), [])
})

test("a request whose client has disconnected is not waited for", async (t) => {
  const { sandboxes, enter, events } = houseOf(t)
  const exchange = exchangeOf(pet("one"))
  exchange.response.destroy()
  await sandboxes.enter(exchange)
  sandboxes.remove("one")
  await turn()
  assert.deepEqual(events.slice(-1), ["close one"])
  const { exchange: running } = await enter(pet("two"))
  sandboxes.remove("two")
  await turn()
  assert.deepEqual(events.slice(-1), ["drain two"])
  running.response.emit("close")
  await turn()
  assert.deepEqual(events.slice(-1), ["close two"])
})

test("one is removed by its name, and held for a request to another path until its response ends", async (t) => {
  const { sandboxes, visit, events, names } = houseOf(t)
  await visit(pet("one"))
  assert.deepEqual([sandboxes.remove("two"), sandboxes.hold(exchangeOf("/"), "two")], [false, undefined])
  const exchange = exchangeOf("/console")
  assert.deepEqual(sandboxes.hold(exchange, "one"), { name: "one" })
  assert.deepEqual([sandboxes.remove("one"), names()], [true, []])
  await turn()
  assert.deepEqual(events.slice(-1), ["drain one"])
  exchange.response.emit("close")
  await turn()
  assert.deepEqual(events.slice(-1), ["close one"])
})

const planned = (name: string, more: Partial<SandboxPlan> = {}): SandboxPlan => ({
  name,
  seed: undefined,
  from: undefined,
  data: undefined,
  idleMs: undefined,
  start: { at: undefined, isFrozen: false },
  ...more,
})

test("the service makes one by a plan, or as a copy of another one", async (t) => {
  const { sandboxes, makings, events, state } = houseOf(t)
  const create = async (plan: SandboxPlan) => {
    const made = await sandboxes.house()?.create?.(plan, "192.0.2.1")
    return typeof made === "object" ? [made.name, made.copiedFrom, made.idle] : made
  }
  const start = { at: 5, isFrozen: true }
  assert.deepEqual(await create(planned("one", { seed: "empty", start, idleMs: 60_000 })), ["one", undefined, "PT1M"])
  assert.deepEqual([makings[0]?.seed, makings[0]?.start], ["empty", start])
  assert.equal(await create(planned("one")), "exists")
  assert.equal(await create(planned("one", { from: "one" })), "exists")
  assert.equal(await create(planned("two", { from: "zero" })), "no source")
  assert.deepEqual(await create(planned("two", { from: "one" })), ["two", "one", "PT1M"])
  assert.deepEqual(events, ["open one", "copy of one: two"])
  state.isFull = true
  await assert.rejects(async () => create(planned("three")), { code: "overloaded" })
})

test("the service saves any, and a named sandbox sees, saves and removes itself alone", async (t) => {
  const { sandboxes, visit, makings, state } = houseOf(t)
  for (const name of ["one", "two"]) await visit(pet(name))
  const own = sandboxes.house()
  const { house: inside } = makings[0] as Making
  const listed = (of: typeof own) => of?.list().map(({ name }) => name)
  assert.deepEqual([listed(own), listed(inside)], [["one", "two"], ["one"]])
  assert.deepEqual([await own?.save("two"), await own?.save("zero")], ['{"data":{}}', undefined])
  assert.deepEqual([await inside.save("one"), await inside.save("two")], ['{"data":{}}', undefined])
  state.file = undefined
  assert.equal(await own?.save("two"), "too large")
  assert.deepEqual([inside.remove("two"), inside.remove("one"), inside.create], [false, true, undefined])
  state.isFull = true
  await assert.rejects(async () => own?.save("two"), { code: "overloaded" })
})

test("a sandbox can be copied, and replaced by a copy of another one", async (t) => {
  const { visit, makings, sandboxes, events, clock } = houseOf(t)
  const idleMs = 240_000
  await sandboxes.house()?.create?.(planned("two", { idleMs }), "192.0.2.1")
  await visit(pet("two"))
  clock.advance(500)
  for (const _ of [1, 2]) await visit(pet("one"))
  const { forks } = makings[0] as Making
  assert.equal(await forks.make("one", "192.0.2.9"), undefined)
  assert.equal((await forks.make("three", "192.0.2.9"))?.copiedFrom, "two")
  assert.equal(await forks.replaceBy("zero"), false)
  clock.advance(1000)
  assert.equal(await forks.replaceBy("one"), true)
  await turn()
  const shown = sandboxes
    .list()
    .map(({ name, copiedFrom, requests, idle, createdAt }) => [name, copiedFrom, requests, idle, createdAt.slice(20)])
  assert.deepEqual(shown, [
    ["one", undefined, 2, "PT3M", "500Z"],
    ["three", "two", 0, "PT4M", "500Z"],
    ["two", "one", 1, "PT4M", "000Z"],
  ])
  assert.deepEqual(events.slice(-3), ["copy of one: two", "drain two", "close two"])
})

test("those that are too large together make way for a copy, but not its source", async (t) => {
  const { visit, makings, sizes, names, clock } = houseOf(t)
  sizes.set("one", 85)
  await visit(pet("three"), { address: "192.0.2.9" })
  clock.advance(1)
  for (const name of ["two", "one"]) await visit(pet(name))
  clock.advance(60_000)
  assert.deepEqual(names(), ["three", "two", "one"])
  assert.equal(await (makings[1] as Making).forks.replaceBy("one"), true)
  assert.deepEqual(names(), ["one", "two"])
})

test("at the end all are drained and closed, also when one fails", async (t) => {
  const { sandboxes, visit, events, names } = houseOf(t)
  for (const name of ["stuck", "two"]) await visit(pet(name))
  events.length = 0
  await sandboxes.drain()
  assert.deepEqual(events.splice(0), ["drain stuck", "drain two"])
  await sandboxes.close()
  assert.deepEqual(events.toSorted(), [
    "a sandbox did not close",
    "close stuck",
    "close two",
    "drain stuck",
    "drain two",
  ])
  assert.deepEqual(names(), [])
})
