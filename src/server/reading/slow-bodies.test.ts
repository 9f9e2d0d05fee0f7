import assert from "node:assert/strict"
import { type TestContext, test } from "node:test"
import type { Exchange } from "../exchange/exchange.ts"
import { bodyPace, isTooSlow, watchBodies } from "./slow-bodies.ts"

test("an upload of 10 MiB over a line of 64 kB/s is never too slow, and one of a byte a second soon is", () => {
  for (let seconds = 1; seconds <= 164; seconds++)
    assert.equal(isTooSlow(64_000 * (seconds - 1), seconds * 1000, bodyPace), false)
  assert.equal(isTooSlow(10, 10_000, bodyPace), false)
  assert.equal(isTooSlow(11, 11_000, bodyPace), true)
  assert.deepEqual(
    [isTooSlow(0, 10_000, bodyPace), isTooSlow(0, 10_001, bodyPace)],
    [false, true],
    "both sides of the time without a minimum",
  )
  assert.deepEqual(
    [isTooSlow(320_032, 10_001, bodyPace), isTooSlow(320_031, 10_001, bodyPace)],
    [false, true],
    "both sides of the rate",
  )
})

const pace = { timeoutMs: 1_000, uploadGraceMs: 2_000, uploadBytesPerSecondMin: 100, checkMs: 10 }
const turn = () => new Promise(setImmediate)

/** Bodies whose time the test sets, and those that were cut. */
function watched(t: TestContext) {
  t.mock.timers.enable({ apis: ["setInterval"] })
  let now = 0
  t.mock.method(performance, "now", () => now)
  const cut: Exchange[] = []
  const watch = watchBodies(pace, (exchange) => cut.push(exchange))
  const arrive = (isUpload = false, bytesRead = 0) => {
    const request = { complete: false, destroyed: false, socket: { bytesRead } }
    const response = { writableFinished: false }
    const exchange = { request, response, startedAt: now, route: { isUpload } } as unknown as Exchange
    watch(exchange)
    return { exchange, request, response }
  }
  const setNow = (at: number) => {
    now = at
    t.mock.timers.tick(10)
  }
  return { cut, arrive, setNow }
}

test("a body is cut after its time, once, and one that is over is not", async (t) => {
  const { cut, arrive, setNow } = watched(t)
  const [slow, complete, destroyed, responded] = [arrive(), arrive(), arrive(), arrive()]
  await turn()
  complete.request.complete = true
  setNow(1_000)
  destroyed.request.destroyed = true
  responded.response.writableFinished = true
  assert.deepEqual(cut, [])
  for (const at of [1_001, 1_002]) {
    setNow(at)
    assert.deepEqual(cut, [slow.exchange])
  }
})

test("a body that is complete in the turn in which it arrives is not watched", async (t) => {
  const { cut, arrive, setNow } = watched(t)
  arrive().request.complete = true
  await turn()
  const later = arrive()
  await turn()
  later.request.complete = true
  setNow(5_000)
  const last = arrive()
  await turn()
  setNow(6_001)
  assert.deepEqual(cut, [last.exchange])
})

test("an upload is cut when it is below the minimum rate since its head", async (t) => {
  const { cut, arrive, setNow } = watched(t)
  const [fast, slow] = [arrive(true, 1_000), arrive(true, 1_000)]
  await turn()
  setNow(2_000)
  fast.request.socket.bytesRead = 1_201
  slow.request.socket.bytesRead = 1_200
  setNow(2_005)
  assert.deepEqual(cut, [slow.exchange])
})
