import assert from "node:assert/strict"
import { Readable } from "node:stream"
import { test } from "node:test"
import { exchangeOf } from "../../../test/harness/exchange.ts"
import { shop } from "../../../test/harness/shop.ts"
import type { ProblemCode } from "../../domain/problems/problems.ts"
import { Problem } from "../../kernel/problem.ts"
import type { HttpRoute } from "../../server/exchange/exchange.ts"
import type { Router } from "../../server/exchange/router.ts"
import { addEntrance, addStore } from "./store.ts"

type Given = {
  person?: object
  knownKey?: string
  /** What operations refuse, by their name. */
  refusals?: Record<string, ProblemCode>
  orderOf?: number
}

const available = { id: 7, name: "Rex", status: "available", photoUrls: [], tags: [] }

/** The routes of a store, and what its operations are called for: the visitor, and whether the operation admits them. */
function open({ person, knownKey, refusals = {}, orderOf = 7 }: Given) {
  const routes = new Map<string, HttpRoute>()
  const add = (methods: readonly string[], path: string, route: HttpRoute) =>
    void routes.set(`${methods[0]} ${path}`, route)
  const called: unknown[][] = []
  const values: Record<string, object> = {
    getPetById: available,
    placeOrder: { id: 5, petId: 7, status: "placed" },
    getOrderById: { id: 5, petId: orderOf, status: "placed" },
    listPets: [available],
  }
  const invocables = Object.entries(values).map(([name, value]) => ({
    name,
    endpoint: { method: "GET", path: `/${name}` },
    readParameters: (read: { params: object }) => read.params,
    async invoke({ caller }: { caller?: { who: string } }, { parameters }: { parameters: object }) {
      called.push([name, caller?.who, ...Object.values(parameters)])
      const code = refusals[name]
      if (code) throw new Problem(code, `Refused: ${code}`)
      return { json: JSON.stringify(value), headers: {}, isReplayed: false }
    },
  }))
  const events = { lastPosition: async () => 0, feed: async () => [] }
  const api = {
    invocables,
    receive: () => {},
    admitKnown: async ({ caller }: { caller: { who: string } }) => void called.push(["admit", caller.who]),
    authenticate: async ({ headers }: { headers: object }) => ({
      caller: { who: `key ${Object.values(headers).join()}` },
    }),
    ports: { store: { events } },
  }
  addStore(
    { add } as unknown as Router,
    {
      shop,
      api,
      knownKey,
      findPerson: async () => person,
      respondNotFound: () => ({ status: 404, headers: [], body: "not found" }),
    } as unknown as Parameters<typeof addStore>[1],
  )
  async function respond(method: "GET" | "POST", path: string, url: string, bytes = 0) {
    const headers = { host: "pets.example", "content-length": String(bytes) }
    const exchange = exchangeOf(url, { method, headers })
    Object.assign(exchange.params, { id: /\d+/.exec(url)?.[0] })
    const body = bytes > 0 ? [Buffer.alloc(bytes)] : []
    Object.assign(exchange, { request: Object.assign(Readable.from(body), { headers, socket: {} }) })
    const response = await routes.get(`${method} ${path}`)?.handle(exchange)
    const { status, headers: sent = [], body: page } = response ?? {}
    const caller = exchange.caller as unknown as { who: string } | undefined
    return { status, location: sent[sent.indexOf("location") + 1], page: String(page), caller: caller?.who }
  }
  return {
    called,
    routes,
    show: (query = "") => respond("GET", "/pets/:id", `/pets/7${query}`),
    order: (bytes?: number) => respond("POST", "/pets/:id/order", "/pets/7/order", bytes),
  }
}

const ada = { caller: { who: "ada", user: { username: "ada", role: "customer" } }, token: "t" }

test("a pet is shown as public data; its order is read as the visitor, and shown with its own pet only", async () => {
  const anonymous = open({ knownKey: "public" })
  const plain = await anonymous.show()
  assert.deepEqual([plain.status, plain.caller, anonymous.called], [200, undefined, [["getPetById", undefined, "7"]]])
  const ordered = open({ knownKey: "public" })
  const { page, caller } = await ordered.show("?order=5")
  assert.match(page, /Order #5 is placed/)
  assert.equal(caller, "key public")
  assert.deepEqual(ordered.called, [
    ["getPetById", undefined, "7"],
    ["admit", "key public"],
    ["getOrderById", "key public", "5"],
  ])
  const signedIn = open({ person: ada, knownKey: "public" })
  await signedIn.show("?order=5")
  assert.deepEqual(signedIn.called.slice(1), [
    ["admit", "ada"],
    ["getOrderById", "ada", "5"],
  ])
  const { called, show } = open({})
  assert.doesNotMatch((await show("?order=5")).page, /Order #/)
  assert.equal(called.length, 1)
  assert.doesNotMatch((await open({ knownKey: "public", orderOf: 8 }).show("?order=5")).page, /Order #/)
})

test("an order that the visitor may not see is not shown, and any other failure is one", async () => {
  for (const code of ["order-not-found", "invalid-parameter", "unauthorized", "forbidden"] as const) {
    const { status, page } = await open({ knownKey: "public", refusals: { getOrderById: code } }).show("?order=5")
    assert.equal(status, 200, code)
    assert.doesNotMatch(page, /Order #/)
  }
  const broken = open({ knownKey: "public", refusals: { getOrderById: "unavailable" } })
  await assert.rejects(broken.show("?order=5"), { code: "unavailable" })
  for (const code of ["pet-not-found", "invalid-parameter"] as const) {
    const gone = open({ knownKey: "public", refusals: { getPetById: code } })
    assert.deepEqual([(await gone.show()).status, (await gone.order()).status], [404, 404])
    assert.equal(gone.called.length, 2)
  }
  await assert.rejects(open({ refusals: { getPetById: "unavailable" } }).show(), { code: "unavailable" })
})

test("a signed-in person orders, or an anonymous visitor with the public key; where there is none, one signs in", async () => {
  const ordered = open({ knownKey: "public" })
  const { status, location, caller } = await ordered.order()
  assert.deepEqual([status, location, caller], [303, "../7?order=5", "key public"])
  assert.deepEqual(ordered.called, [
    ["getPetById", undefined, "7"],
    ["admit", "key public"],
    ["placeOrder", "key public"],
  ])
  const signedIn = open({ person: ada, knownKey: "public" })
  assert.equal((await signedIn.order()).location, "../7?order=5")
  assert.deepEqual(signedIn.called.at(-1), ["placeOrder", "ada"])
  const without = open({})
  assert.equal((await without.order()).location, "../../console/sign-in")
  assert.equal(without.called.length, 1)
  const refused = await open({ knownKey: "public", refusals: { placeOrder: "pet-not-available" } }).order()
  assert.equal(refused.status, 409)
  assert.match(refused.page, /role="alert">Refused: pet-not-available</)
})

test("the form of an order has at most 1 KiB, and pages of other sites do not send it", async () => {
  const { order, routes } = open({ knownKey: "public" })
  assert.equal((await order(1024)).status, 303)
  await assert.rejects(order(1025), { code: "body-too-large" })
  const { isAdministrative, admission } = routes.get("POST /pets/:id/order") ?? {}
  assert.deepEqual([isAdministrative, admission], [true, "anonymous"])
})

test("without a store the entrance leads to the console", async () => {
  const added: HttpRoute[] = []
  addEntrance({ add: (_: unknown, __: unknown, route: HttpRoute) => added.push(route) } as unknown as Router)
  assert.deepEqual(await added[0]?.handle(exchangeOf("/")), {
    status: 302,
    headers: ["location", "./console", "cache-control", "no-cache"],
    body: undefined,
  })
})
