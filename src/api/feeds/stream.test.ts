import assert from "node:assert/strict"
import { mock, test } from "node:test"
import { manualClock } from "../../../test/harness/clock.ts"
import { exchangeOf } from "../../../test/harness/exchange.ts"
import { principalOf } from "../../../test/harness/principal.ts"
import type { ReplayBound } from "./replay.ts"
import { openStream, type Recheck } from "./stream.ts"

const { caller } = principalOf(7)

type Given = { endsAt?: number; recheck?: Recheck; replay?: ReplayBound; by?: typeof caller | undefined }

/** A stream from the position 5, what it has written, and how often it became ready. */
function streamOf(given: Given = {}) {
  const { endsAt, recheck, replay } = given
  const clock = manualClock(1_000_000)
  const exchange = exchangeOf("/api/v3/events/stream")
  exchange.caller = "by" in given ? given.by : { ...caller, ownerId: 8 }
  const { response } = exchange
  const state = { hasSpace: true, isEnded: false, isDestroyed: false, ready: 0 }
  const written: string[] = []
  mock.method(response, "write", (text: string) => {
    written.push(text)
    return state.hasSpace
  })
  mock.method(response, "end", () => {
    state.isEnded = true
  })
  mock.getter(response, "writableEnded", () => state.isEnded)
  mock.method(response, "destroy", () => {
    state.isDestroyed = true
  })
  const realSteady = manualClock(50)
  const stream = openStream({
    exchange,
    reached: { position: 5, id: "evt_5_a" },
    endsAt,
    recheck,
    replay,
    clock,
    steady: clock.steady,
    realSteady,
    onReady: () => state.ready++,
  })
  return { stream, state, written, clock, realSteady, exchange, drain: () => response.emit("drain") }
}

test("a stream begins with the pause before a reconnection and its position, and sends events with their ids", () => {
  const { stream, written, realSteady, exchange } = streamOf()
  assert.deepEqual([stream.accountId, stream.accounts, stream.writtenAt, stream.checkedAt], [7, [7, 8], 0, 50])
  const { headMs = -1 } = exchange
  assert.ok(headMs >= 0 && headMs <= performance.now() - exchange.startedAt)
  realSteady.advance(5)
  stream.start()
  stream.send([
    { id: "evt_6_a", json: "{}" },
    { id: "evt_7_a", json: "[]" },
  ])
  stream.beat()
  assert.deepEqual(written, [
    "retry: 2000\nid: evt_5_a\n\n",
    "id: evt_6_a\ndata: {}\n\nid: evt_7_a\ndata: []\n\n",
    ": nothing new\nid: evt_5_a\n\n",
  ])
  assert.equal(stream.writtenAt, 55)
  const anonymous = streamOf({ by: undefined })
  assert.deepEqual([anonymous.stream.accountId, anonymous.stream.accounts], [undefined, []])
})

test("a client that does not read gets no more until it does", () => {
  const { stream, state, written, drain } = streamOf()
  assert.equal(stream.isReady(), true)
  state.hasSpace = false
  stream.start()
  assert.equal(stream.isReady(), false)
  stream.beat()
  assert.equal(written.length, 1)
  state.hasSpace = true
  drain()
  assert.deepEqual([stream.isReady(), state.ready], [true, 1])
  state.hasSpace = false
  stream.beat()
  stream.close()
  assert.deepEqual([state.isDestroyed, state.isEnded], [true, false])
})

test("a stream ends with its credential, before it sends anything", () => {
  const { stream, state, written, clock } = streamOf({ endsAt: 1_000_010 })
  clock.advance(9)
  stream.send([{ id: "evt_6_a", json: "{}" }])
  assert.deepEqual([written.length, state.isEnded], [1, false])
  clock.advance(1)
  stream.send([{ id: "evt_7_a", json: "{}" }])
  assert.deepEqual([written.length, state.isEnded, state.isDestroyed, stream.isReady()], [1, true, false, false])
  stream.beat()
  assert.equal(written.length, 1)
})

test("while its credential is checked, a stream is not ready; afterwards it has the expiry of then", async () => {
  const checks: PromiseWithResolvers<number | undefined>[] = []
  const recheck = () => {
    const check = Promise.withResolvers<number | undefined>()
    checks.push(check)
    return check.promise
  }
  const { stream, state, clock, realSteady } = streamOf({ recheck })
  realSteady.advance(20)
  const [first, second] = [stream.check(), stream.check()]
  assert.equal(checks.length, 0, "other listeners of the signal come first")
  await undefined
  await undefined
  assert.deepEqual([stream.isReady(), stream.checkedAt, checks.length], [false, 70, 2])
  checks[0]?.resolve(undefined)
  await first
  assert.deepEqual([stream.isReady(), state.ready], [false, 0])
  checks[1]?.resolve(1_000_010)
  await second
  assert.deepEqual([stream.isReady(), state.ready, state.isEnded], [true, 1, false])
  clock.advance(10)
  stream.closeIfOver()
  assert.equal(state.isEnded, true)
})

test("a stream whose caller is no longer admitted ends", async () => {
  const refused = streamOf({ recheck: () => Promise.reject(new Error("revoked")) })
  await refused.stream.check()
  assert.deepEqual([refused.state.isEnded, refused.state.ready], [true, 0])
  const expired = streamOf({ recheck: async () => 1_000_000 })
  await expired.stream.check()
  assert.deepEqual([expired.state.isEnded, expired.state.ready], [true, 0])
  const free = streamOf()
  await free.stream.check()
  assert.deepEqual([free.stream.checkedAt, free.state.ready], [50, 0], "without a credential there is nothing to check")
})

test("a stream asks for and records what it replays", async () => {
  const recorded: unknown[] = []
  let isPaused = true
  const replay: ReplayBound = {
    isPaused: (now) => isPaused && now === 1_000_000,
    admits: async (after, now) => after === 5 && now() === 1_000_000,
    record: (events) => void recorded.push(events),
  }
  const { stream } = streamOf({ replay })
  assert.deepEqual([stream.isReady(), await stream.admitPage()], [false, true])
  isPaused = false
  assert.equal(stream.isReady(), true)
  const events = [{ id: "evt_6_a", json: "{}" }]
  stream.send(events)
  assert.deepEqual(recorded, [events])
  assert.equal(await streamOf().stream.admitPage(), true)
  const usedUp = { ...replay, admits: async () => false }
  assert.equal(await streamOf({ replay: usedUp }).stream.admitPage(), false)
})
