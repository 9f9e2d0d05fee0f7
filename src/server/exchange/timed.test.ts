import assert from "node:assert/strict"
import { test } from "node:test"
import { setImmediate as nextTurn } from "node:timers/promises"
import type { Exchange } from "./exchange.ts"
import { timed } from "./timed.ts"

const exchangeOf = (isTimed: boolean) =>
  ({ timings: isTimed ? { auth: undefined, limits: undefined, operation: undefined } : undefined }) as Exchange
const fail = () => {
  throw new Error("x")
}

test("a part is timed until its end, also when it fails or must be awaited", async (t) => {
  let now = 100
  t.mock.method(performance, "now", () => now)
  const later = async () => {
    await nextTurn()
    now += 100
  }
  for (const [run, outcome, ms] of [
    [() => 7, 7, 15],
    [async () => 7, 7, 15],
    [fail, "x", 5],
    [async () => fail(), "x", 15],
    [() => later().then(() => 7), 7, 115],
    [() => later().then(fail), "x", 115],
  ] as const) {
    const exchange = exchangeOf(true)
    const running = (async () =>
      timed(exchange, "limits", (given) => {
        assert.equal(given, exchange)
        now += 5
        const running = run()
        now += 10
        return running
      }))()
    assert.equal(await running.catch((error: Error) => error.message), outcome)
    assert.deepEqual(exchange.timings, { auth: undefined, limits: ms, operation: undefined })
  }
})

test("a part that is not awaited is not awaited when it is timed", () => {
  assert.equal(
    timed(exchangeOf(true), "auth", () => 7),
    7,
  )
})

test("a part of a request that is not timed just runs", () => {
  assert.equal(
    timed(exchangeOf(false), "auth", () => 7),
    7,
  )
  assert.throws(() => timed(exchangeOf(false), "auth", fail), { message: "x" })
})
