import assert from "node:assert/strict"
import { type TestContext, test } from "node:test"
import pino from "pino"
import { manualClock } from "../../../test/harness/clock.ts"
import { exchangeOf } from "../../../test/harness/exchange.ts"
import type { SandboxPlan } from "../../domain/sandbox/model.ts"
import { json } from "../../kernel/json/json.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Exchange } from "../../server/exchange/exchange.ts"
import { createRouter } from "../../server/exchange/router.ts"
import type { StoreApi } from "../operations/api.ts"
import { NamedSandboxes } from "./named.ts"
import type { MakeSandbox, Making, NamedSandbox } from "./sandbox-entry.ts"
import { mountOf } from "./selected-name.ts"

const turn = () => new Promise((resolve) => setImmediate(resolve))

type Given = { unavailableReason?: string; keys?: { secret: string }[]; refusesWrites?: string; isBroken?: boolean }

function house({ mock }: TestContext, given: Given = {}) {
  mock.timers.enable({ apis: ["setInterval"] })
  const clock = manualClock()
  const events: string[] = []
  const makings: Making[] = []
  const sizes = new Map<string, number>()
  const state = { given, isFull: false, file: json({ data: {} as never }) as Awaited<ReturnType<NamedSandbox["save"]>> }
  const make =
    (kind: string): MakeSandbox =>
    async (making) => {
      if (state.given.isBroken) throw new Error("broken")
      const { name } = making
      makings.push(making)
      events.push(`${kind} ${name}`)
      return {
        router: createRouter(),
        mount: mountOf(name),
        api: { name } as unknown as StoreApi,
        save: async () => state.file,
        readClock: () => ({ time: "2026-01-01T00:00:00.000Z", aheadSeconds: 0, frozen: false }),
        bytes: () => sizes.get(name) ?? 10,
        copy: make(`copy of ${name}:`),
        drain: async () => void events.push(`drain ${name}`),
        close: async () => {
          events.push(`close ${name}`)
          if (name === "stuck") throw new Error("stuck")
        },
      }
    }
  const { unavailableReason, keys } = given
  const sandboxes = new NamedSandboxes({
    open: make("open"),
    unavailableReason,
    keys,
    http: {
      load: {
        requireCapacity() {
          if (state.isFull) throw new Problem("overloaded", "")
        },
      },
      limitAddress: async (kind: string) => void events.push(`limit ${kind}`),
      publicUrl: () => "https://a.example",
    } as unknown as ConstructorParameters<typeof NamedSandboxes>[0]["http"],
    exempt: ["198.51.100.0/24"],
    log: pino({ base: null }, { write: (line) => void events.push((JSON.parse(line) as { msg: string }).msg) }),
    clock,
    steady: clock.steady,
    bounds: { max: 5, ofAddressMax: 2, ofExemptMax: 3, bytesMax: 100, idleMs: 180_000 },
    refusesWrites: () => state.given.refusesWrites,
  })
  async function enter(url: string, { method = "GET", headers = {}, address = "192.0.2.1" } = {}) {
    const exchange = exchangeOf(url, { method, headers, address })
    try {
      const router = await sandboxes.enter(exchange)
      return { exchange, outcome: router ? exchange.mount.prefix : undefined }
    } catch (error) {
      if (error instanceof Problem) return { exchange, outcome: error.code }
      throw error
    }
  }
  const end = ({ response }: Exchange) => response.emit("close")
  const visit = async (...args: Parameters<typeof enter>) => {
    const { exchange, outcome } = await enter(...args)
    end(exchange)
    return outcome
  }
  const names = () => sandboxes.list().map(({ name }) => name)
  const sweep = (ms: number) => {
    clock.advance(ms)
    mock.timers.tick(60_000)
  }
  return { sandboxes, clock, events, makings, sizes, state, enter, visit, end, names, sweep }
}

const pet = (name: string) => `/s/${name}/api/v3/pet/1`

test("the first request that names a sandbox makes it, and later ones enter it", async (t) => {
  const { visit, enter, end, events, makings, names, sandboxes } = house(t)
  assert.deepEqual([await visit(pet("one")), await visit(pet("one")), names()], ["/s/one", "/s/one", ["one"]])
  assert.deepEqual(events, ["limit anonymous", "open one"])
  const { house: own, forks, ...making } = makings[0] as Making
  assert.deepEqual(making, { name: "one", seed: undefined, data: undefined, start: { at: undefined, isFrozen: false } })
  assert.ok(own && forks)
  assert.equal(await visit("/api/v3/pet/1"), undefined)
  assert.equal(await visit(pet("two"), { method: "OPTIONS" }), undefined)
  assert.equal(await visit(pet("one"), { method: "OPTIONS" }), "/s/one")
  const { exchange } = await enter("/s/one/console/pets")
  end(exchange)
  const [shown] = sandboxes.list()
  assert.deepEqual([shown?.requests, shown?.url, shown?.idle, shown?.bytes], [3, "https://a.example/s/one", "PT3M", 10])
})

test("one that is opening takes requests together, and one that cannot be opened is forgotten", async (t) => {
  const { visit, names, state, makings } = house(t)
  assert.deepEqual(await Promise.all([visit(pet("one")), visit(pet("one"))]), ["/s/one", "/s/one"])
  assert.equal(makings.length, 1)
  state.given.isBroken = true
  await assert.rejects(visit(pet("two")), /broken/)
  await turn()
  assert.deepEqual(names(), ["one"])
  state.given.isBroken = false
  assert.equal(await visit(pet("two")), "/s/two")
})

test("where there are none, a request that names one is refused", async (t) => {
  const { visit, sandboxes } = house(t, { unavailableReason: "production has none" })
  const named = { headers: { "petstore-sandbox": "one" } }
  assert.deepEqual([await visit("/api/v3/pet/1", named), await visit(pet("one"))], ["invalid-parameter", undefined])
  assert.equal(sandboxes.house(), undefined)
})

test("a new one needs capacity, a key, and a service that can write", async (t) => {
  const { visit, state, names } = house(t, { keys: [{ secret: "special-key" }] })
  assert.equal(await visit(pet("one")), "unauthorized")
  assert.equal(await visit(pet("one"), { headers: { api_key: "other" } }), "unauthorized")
  const keyed = { headers: { api_key: "special-key" } }
  state.isFull = true
  assert.equal(await visit(pet("one"), keyed), "overloaded")
  state.isFull = false
  state.given.refusesWrites = "the disk is full"
  assert.equal(await visit(pet("one"), keyed), "unavailable")
  assert.deepEqual(names(), [])
  delete state.given.refusesWrites
  assert.equal(await visit(pet("one"), keyed), "/s/one")
  state.given.refusesWrites = "the disk is full"
  assert.equal(await visit(pet("one")), "/s/one", "a read of one that is there")
  assert.equal(await visit(pet("one"), { method: "PUT" }), "unavailable")
})

test("an address has a maximum, an exempt one a larger one, and idle ones make way", async (t) => {
  const { visit, names, clock, events } = house(t)
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
  const { visit, names, sizes, clock } = house(t)
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
  const { enter, visit, end, names, sweep, clock } = house(t)
  const { exchange } = await enter(pet("one"))
  await visit(pet("two"))
  sweep(180_000)
  assert.deepEqual(names(), ["one"])
  end(exchange)
  clock.advance(179_999)
  sweep(0)
  assert.deepEqual(names(), ["one"])
  sweep(1)
  assert.deepEqual(names(), [])
})

test("a request whose client has disconnected is not waited for", async (t) => {
  const { sandboxes, enter, events } = house(t)
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
  const { sandboxes, visit, events, names } = house(t)
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
  ...{ name, seed: undefined, from: undefined, data: undefined, idleMs: undefined },
  start: { at: undefined, isFrozen: false },
  ...more,
})

test("the service makes one by a plan, or as a copy of another one", async (t) => {
  const { sandboxes, makings, events, state } = house(t)
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
  const { sandboxes, visit, makings, state } = house(t)
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
  const { visit, makings, sandboxes, events, clock } = house(t)
  for (const name of ["one", "two"]) await visit(pet(name))
  const { forks } = makings[1] as Making
  assert.equal(await forks.make("one", "192.0.2.9"), undefined)
  assert.equal((await forks.make("three", "192.0.2.9"))?.copiedFrom, "two")
  assert.equal(await forks.replaceBy("zero"), false)
  clock.advance(1000)
  assert.equal(await forks.replaceBy("one"), true)
  await turn()
  const shown = sandboxes
    .list()
    .map(({ name, copiedFrom, requests, createdAt }) => [name, copiedFrom, requests, createdAt])
  const at = "2026-01-01T00:00:00.000Z"
  assert.deepEqual(shown, [
    ["one", undefined, 1, at],
    ["three", "two", 0, at],
    ["two", "one", 1, at],
  ])
  assert.deepEqual(events.slice(-3), ["copy of one: two", "drain two", "close two"])
})

test("at the end all are drained and closed, also when one fails", async (t) => {
  const { sandboxes, visit, events, names } = house(t)
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
