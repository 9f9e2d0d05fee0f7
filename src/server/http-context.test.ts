import assert from "node:assert/strict"
import { EventEmitter } from "node:events"
import { test } from "node:test"
import type { Logger } from "pino"
import { Problem } from "../kernel/problem.ts"
import type { Exchange } from "./exchange/exchange.ts"
import { createHttpContext } from "./http-context.ts"

const mebibyte = 1024 * 1024

const contextOf = (more: Partial<Parameters<typeof createHttpContext>[0]> = {}) =>
  createHttpContext({
    clock: { now: () => 0 },
    log: {} as Logger,
    publicUrl: () => "https://a.example",
    attempts: { admit: async () => 1_000 } as never,
    connectionsPerAddress: 5,
    trustedProxies: ["10.0.0.0/8"],
    unlimitedAddresses: ["192.0.2.0/24"],
    memoryBytes: 1024 * mebibyte,
    hasV2: true,
    overrides: {},
    problems: { overloaded: { status: 503, title: "Overloaded", meaning: "" } },
    asProblem: () => new Problem("overloaded", "x"),
    notFoundPage: () => ({ status: 404, headers: [], body: "page" }),
    ...more,
  })

test("a service drains once it is asked to", () => {
  const http = contextOf()
  assert.deepEqual([http.isDraining(), http.writing.isDraining()], [false, false])
  http.drain()
  assert.deepEqual([http.isDraining(), http.writing.isDraining()], [true, true])
})

test("responses are secure where the public address is", () => {
  assert.deepEqual(
    ["https://a.example", "http://https:80"].map((url) => contextOf({ publicUrl: () => url }).writing.isSecure()),
    [true, false],
  )
})

test("connections of proxies and unlimited addresses are exempt from the limit of an address", async () => {
  const { connectionLimits, limitAddress } = contextOf()
  assert.deepEqual(connectionLimits, { perAddress: 5, total: 10_000, exempt: ["10.0.0.0/8", "192.0.2.0/24"] })
  await limitAddress("anonymous", "192.0.2.1")
  await assert.rejects(async () => limitAddress("anonymous", "10.0.0.1"), { code: "too-many-requests", retryAfter: 1 })
})

test("bounds can be replaced one by one", () => {
  const { connectionLimits, pace, load } = contextOf({
    overrides: {
      connectionLimits: { total: 7 },
      pace: { timeoutMs: 8 },
      load: { requestsMax: 1, loopDelayMs: () => 0 },
      unreadBudgets: { total: 9 },
    },
  })
  assert.deepEqual([connectionLimits.total, connectionLimits.perAddress, pace.timeoutMs], [7, 5, 8])
  assert.equal(pace.uploadGraceMs, contextOf().pace.uploadGraceMs)
  load.start()
  assert.throws(() => load.requireCapacity(), { code: "overloaded" })
})

/** A stream whose client reads nothing. */
function unreadStream(http: ReturnType<typeof contextOf>, bytes: number) {
  const socket = {
    bytesWritten: 0,
    writableLength: bytes,
    isDestroyed: false,
    destroy() {
      socket.isDestroyed = true
    },
  }
  const response = Object.assign(new EventEmitter(), { destroyed: false, socket })
  const mount = { prefix: "" }
  http.expectStream({ method: "GET", mount, request: { socket }, response } as unknown as Exchange)
  return socket
}

test("unread responses have the budgets of the memory, on the clock of the connections", () => {
  let now = 0
  const http = contextOf({ overrides: { connectionLimits: { now: () => now } } })
  const exchange = { method: "GET", mount: { prefix: "" } } as Exchange
  const streams = [4, 4, 4, 3].map((size) => unreadStream(http, size * mebibyte))
  http.unread.requireUnreadBudget(exchange)
  const last = unreadStream(http, 1)
  now = 1_000
  assert.throws(() => http.unread.requireUnreadBudget(exchange), { code: "overloaded" })
  assert.deepEqual(
    [...streams, last].map(({ isDestroyed }) => isDestroyed),
    [true, false, false, false, false],
  )
  const small = contextOf({ overrides: { unreadBudgets: { perConnection: 10 } } })
  assert.deepEqual(
    [10, 11].map((bytes) => unreadStream(small, bytes).isDestroyed),
    [false, true],
  )
})

test("without a server no request can be sent to it", async () => {
  await assert.rejects(contextOf().sendInner({} as Exchange, "/", { method: "GET", headers: {} }), {
    message: "the server is not open",
  })
})

test("an unknown path has the page of the service", () => {
  const exchange = { path: "/x", request: { headers: { accept: "text/html" } } } as Exchange
  assert.equal(contextOf().respondNotFound(exchange).body, "page")
})

test("an expected stream is not a response that its client leaves unread", (t) => {
  const http = contextOf()
  const expected = t.mock.method(http.connections, "expectStream")
  unreadStream(http, 1)
  assert.equal(expected.mock.callCount(), 1)
})
