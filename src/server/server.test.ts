import assert from "node:assert/strict"
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { test } from "node:test"
import type { Logger } from "pino"
import type { Span, Tracer } from "../kernel/network/trace.ts"
import { Problem } from "../kernel/problem.ts"
import type { Mount } from "./exchange/exchange.ts"
import { createRouter } from "./exchange/router.ts"
import { createHttpContext } from "./http-context.ts"
import { openHttpServer, type ServerDeps } from "./server.ts"

const kindOf = (status: number) => ({ status, title: "Problem", meaning: "" })

/** A server with a few routes, and what it has recorded. */
async function serve({ hasKnownKeys = true, isTraced = false, timeoutMs = 60_000 } = {}) {
  const records: string[] = []
  const router = createRouter()
  const hold = Promise.withResolvers<void>()
  const ok = { status: 200, headers: [], body: "ok" }
  router.add(["GET"], "/ok", { admission: "health", handle: () => ok })
  let started = 0
  const start = (response: Promise<typeof ok>) => {
    started++
    return response
  }
  router.add(["GET"], "/held", { admission: "health", handle: () => start(hold.promise.then(() => ok)) })
  router.add(["POST"], "/read", { admission: "operation", handle: () => start(new Promise(() => undefined)) })
  router.add(["POST"], "/keys", { admission: "operation", isAdministrative: true, handle: () => ok })
  const http = createHttpContext({
    clock: { now: () => 0 },
    log: {} as Logger,
    publicUrl: () => "http://127.0.0.1",
    attempts: { admit: async () => undefined } as never,
    connectionsPerAddress: 100,
    trustedProxies: [],
    unlimitedAddresses: [],
    memoryBytes: 0,
    hasV2: false,
    overrides: { pace: { timeoutMs, checkMs: 10 }, load: { loopDelayMs: () => 0 } },
    problems: { "request-timeout": kindOf(408), "malformed-request": kindOf(400), "foreign-page": kindOf(403) },
    asProblem: () => new Problem("malformed-request", "x"),
    notFoundPage: () => ok,
  })
  const mount: Mount = { prefix: "", logged: "", observe: ({ path }) => records.push(`mount ${path}`) }
  const span = { rename() {}, note() {}, end: () => records.push("span") } as unknown as Span
  const tracer = { beginRequest: () => span, within: (_: Span, work: () => void) => work() } as unknown as Tracer
  const deps: ServerDeps = {
    router,
    http,
    hasKnownKeys,
    needsCredential: true,
    log: ({ path, status }, durationMs) => records.push(`log ${path} ${status} ${durationMs >= 0}`),
    tracer: isTraced ? tracer : undefined,
    enterMount: () => undefined,
    mount,
  }
  const server = openHttpServer(deps)
  const { port } = await server.listen("127.0.0.1", 0)
  const open = async () => {
    const socket = connect(port, "127.0.0.1").on("error", () => undefined)
    await once(socket, "connect")
    return socket
  }
  const untilStarted = async (count: number) => {
    while (started < count) await new Promise(setImmediate)
  }
  return { server, http, records, hold, untilStarted, url: `http://127.0.0.1:${port}`, open }
}

const send = (socket: Socket, text: string) => socket.write(`${text} HTTP/1.1\r\nHost: x\r\n\r\n`)
const closed = async (socket: Socket) => socket.closed || (await once(socket, "close"))

test("a request is counted and logged once it has its response, and traced where requests are", async () => {
  for (const isTraced of [false, true]) {
    const { server, http, records, url } = await serve({ isTraced })
    assert.equal(await (await fetch(`${url}/ok`)).text(), "ok")
    await server.close(AbortSignal.abort())
    assert.deepEqual(records, ["log /ok 200 true", "mount /ok", ...(isTraced ? ["span"] : [])])
    assert.equal(http.traffic.recent().at(-1)?.requests, 1)
    const [durations] = http.requests.metrics
    assert.equal(durations?.type === "histogram" && durations.read().length, 1)
  }
})

test("pages of other sites are kept from administering where the keys are public only", async () => {
  for (const [hasKnownKeys, status] of [
    [true, 403],
    [false, 200],
  ] as const) {
    const { server, url } = await serve({ hasKnownKeys })
    const response = await fetch(`${url}/keys`, { method: "POST", headers: { origin: "https://evil.example" } })
    assert.equal(response.status, status)
    await response.text()
    await server.close(AbortSignal.abort())
  }
})

test("a body that arrives too slowly ends its connection with a problem", async () => {
  const { server, open } = await serve({ timeoutMs: 1 })
  const socket = await open()
  let received = ""
  socket.on("data", (bytes) => {
    received += bytes
  })
  socket.write("POST /read HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n")
  await closed(socket)
  assert.match(received, /^HTTP\/1\.1 408 .*"code":"request-timeout"/s)
  await server.close(AbortSignal.abort())
})

test("a close ends idle connections, and waits for running requests until its deadline", async () => {
  const { server, open, hold, untilStarted } = await serve()
  const [idle, held, late] = [await open(), await open(), await open()]
  send(idle, "GET /ok")
  await once(idle, "data")
  send(held, "GET /held")
  send(late, "POST /read")
  await untilStarted(2)
  const deadline = new AbortController()
  let isClosed = false
  const closing = server.close(deadline.signal).then(() => {
    isClosed = true
  })
  await closed(idle)
  assert.deepEqual([held.closed, late.closed], [false, false])
  hold.resolve()
  assert.match(String((await once(held, "data"))[0]), /ok$/)
  held.destroy()
  await closed(held)
  assert.deepEqual([isClosed, late.closed], [false, false])
  deadline.abort()
  await closed(late)
  await closing
})

test("a close whose deadline has passed ends all connections", async () => {
  const { server, open, untilStarted } = await serve()
  const held = await open()
  send(held, "GET /held")
  await untilStarted(1)
  await server.close(AbortSignal.abort())
  await closed(held)
})
