import assert from "node:assert/strict"
import { type TestContext, test } from "node:test"
import { manualClock } from "../../../test/harness/clock.ts"
import { exchangeOf } from "../../../test/harness/exchange.ts"
import { principalOf } from "../../../test/harness/principal.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Exchange } from "../../server/exchange/exchange.ts"
import { memorySignals } from "../../storage/memory/signals.ts"
import type { Feed, Listener } from "./feed.ts"
import type { Stream } from "./stream.ts"
import { openEventStreams } from "./streams.ts"

const start = { after: { position: 3, id: "evt_3_0" }, last: { position: 5, id: "evt_5_0" } }

function streaming({ mock }: TestContext, maxDelayMs = 60_000) {
  mock.timers.enable({ apis: ["setInterval"] })
  const clock = manualClock()
  const calls: string[] = []
  const added: Listener[] = []
  const feed: Feed = {
    add(listener, last) {
      added.push(listener)
      calls.push(`add ${listener.reached.position} ${last.position}`)
    },
    remove: (listener) => void calls.push(`remove ${added.indexOf(listener)}`),
    check: () => void calls.push("check"),
    idle: async () => void calls.push("idle"),
    close: () => void calls.push("close feed"),
  }
  const signals = { ...memorySignals(), maxDelayMs }
  const streams = openEventStreams({
    feed,
    signals,
    clock,
    steady: clock.steady,
    realSteady: clock.steady,
    pace: undefined,
    writeHead: (_, status, headers) => void calls.push(`head ${status} ${headers.slice(0, 2).join()}`),
    expectStream: () => void calls.push("expect"),
  })
  const rechecks: number[] = []
  async function open({
    id = 7,
    endsAt = undefined as number | undefined,
    method = "GET",
    address = "192.0.2.1",
  } = {}) {
    const exchange = exchangeOf("/api/v3/events/stream", { method, address })
    const { caller } = principalOf(id)
    exchange.caller = caller
    const recheck = async () => {
      rechecks.push(id)
      return endsAt
    }
    const response = await streams.open(exchange, { ...start, holder: { kind: "account", id }, recheck })
    return { exchange, response, stream: added.at(-1) as Stream }
  }
  const tick = (ms: number) => {
    for (let passed = 0; passed < ms; passed += 1000) {
      clock.advance(1000)
      mock.timers.tick(1000)
    }
  }
  const isEnded = ({ response }: Exchange) => response.writableEnded
  return { streams, open, calls, rechecks, signals, clock, tick, isEnded }
}

test("a stream has a head, is kept open, and is a listener of the feed until its response is closed", async (t) => {
  const { streams, open, calls, rechecks, tick } = streaming(t)
  const { exchange, response } = await open()
  assert.equal(response, undefined)
  assert.deepEqual(calls.splice(0), ["head 200 content-type,text/event-stream", "expect", "add 3 5"])
  assert.deepEqual([streams.count(), rechecks], [1, [7]])
  exchange.response.emit("close")
  tick(1000)
  assert.deepEqual([calls, streams.count()], [["remove 0"], 0])
})

test("HEAD has the head alone, without a check of the credential", async (t) => {
  const { streams, open, calls, rechecks } = streaming(t)
  const { response } = await open({ method: "HEAD" })
  assert.deepEqual([response?.status, response?.body, response?.headers.length], [200, undefined, 8])
  assert.deepEqual([calls, rechecks, streams.count()], [[], [], 0])
})

test("a client that disconnects while its credential is checked has no stream", async (t) => {
  const { streams, calls } = streaming(t)
  for (const disconnect of [true, false]) {
    const exchange = exchangeOf("/api/v3/events/stream")
    const recheck = async () => {
      if (disconnect) exchange.response.destroy()
      else await streams.close()
      return undefined
    }
    const response = await streams.open(exchange, { ...start, holder: { kind: "account", id: 7 }, recheck })
    assert.deepEqual([response, streams.count(), exchange.response.destroyed], [undefined, 0, true])
  }
  assert.deepEqual(calls, ["close feed", "idle"])
})

test("an account has ten streams; a refused credential takes none", async (t) => {
  const { streams, open } = streaming(t)
  const exchange = exchangeOf("/api/v3/events/stream")
  const recheck = () => Promise.reject(new Problem("unauthorized", ""))
  await assert.rejects(streams.open(exchange, { ...start, holder: { kind: "account", id: 7 }, recheck }))
  for (let n = 0; n < 10; n++) await open()
  await assert.rejects(open(), { code: "too-many-streams" })
  assert.equal(streams.count(), 10)
})

test("a stream has a heartbeat after fifteen seconds without an event, and its credential is checked as often", async (t) => {
  const { open, calls, rechecks, tick } = streaming(t)
  const { stream } = await open()
  const beats: number[] = []
  const beat = stream.beat
  stream.beat = () => {
    beats.push(stream.writtenAt)
    beat()
  }
  calls.length = 0
  tick(14_000)
  assert.deepEqual([beats.length, rechecks.length, calls.length], [0, 1, 14])
  tick(1000)
  assert.deepEqual(beats.length, 1)
  await undefined
  await undefined
  assert.equal(rechecks.length, 2)
})

test("where signals may take less time, the credential is checked as soon", async (t) => {
  const { open, rechecks, tick } = streaming(t, 5000)
  await open()
  tick(4000)
  await undefined
  assert.equal(rechecks.length, 1)
  tick(1000)
  await undefined
  await undefined
  assert.equal(rechecks.length, 2)
})

test("a change of an account's credentials checks its streams, and expiry ends them", async (t) => {
  const { open, rechecks, signals, tick, isEnded, clock } = streaming(t)
  const { exchange } = await open({ endsAt: clock.now() + 2500 })
  const { exchange: other } = await open({ id: 8 })
  await signals.announce({ kind: "credentials-changed", accountId: 7 })
  await undefined
  await undefined
  assert.deepEqual(rechecks, [7, 8, 7])
  tick(2000)
  assert.equal(isEnded(exchange), false)
  tick(1000)
  assert.deepEqual([isEnded(exchange), isEnded(other)], [true, false])
})

test("without streams nothing is checked", (t) => {
  const { calls, tick } = streaming(t)
  tick(3000)
  assert.deepEqual(calls, [])
})

test("all streams can be closed, and after the end none is opened", async (t) => {
  const { streams, open, calls, rechecks, signals, isEnded, tick } = streaming(t)
  const [one, two] = [await open(), await open({ id: 8 })]
  streams.closeAll()
  assert.deepEqual([isEnded(one.exchange), isEnded(two.exchange)], [true, true])
  const { exchange } = await open()
  calls.length = 0
  await streams.close()
  assert.deepEqual([isEnded(exchange), calls], [true, ["close feed", "idle"]])
  await assert.rejects(open(), { code: "unavailable", detail: "The service is shutting down", retryAfter: 5 })
  tick(3000)
  const before = rechecks.length
  await signals.announce({ kind: "credentials-changed", accountId: 7 })
  await undefined
  assert.deepEqual([calls.length, rechecks.length], [2, before])
})
