import assert from "node:assert/strict"
import { test } from "node:test"
import { exchangeOf } from "../../../test/harness/exchange.ts"
import { principalOf } from "../../../test/harness/principal.ts"
import { createDelays } from "./delayed-responses.ts"

const turn = () => new Promise((resolve) => setImmediate(resolve))
const refused = {
  code: "unavailable",
  detail: "Too many responses are delayed at once; nothing was done",
  retryAfter: 5,
}

function exchangeBy(accountId: number | undefined, address = "192.0.2.1") {
  const exchange = exchangeOf("/api/v3/pet/1", { address })
  exchange.caller = accountId === undefined ? undefined : principalOf(accountId).caller
  return exchange
}

test("an account, or an address without one, has 64 delayed responses at once", () => {
  const delays = createDelays()
  const own = Array.from({ length: 64 }, () => exchangeBy(1))
  for (const exchange of own) delays.enter(exchange)
  assert.throws(() => delays.enter(exchangeBy(1)), refused)
  for (let n = 0; n < 64; n++) delays.enter(exchangeBy(undefined))
  assert.throws(() => delays.enter(exchangeBy(undefined)), refused)
  delays.enter(exchangeBy(undefined, "192.0.2.2"))
  own[0]?.response.emit("close")
  delays.enter(exchangeBy(1))
  assert.throws(() => delays.enter(exchangeBy(1)), refused)
})

test("all together have 512", () => {
  const delays = createDelays()
  for (let n = 0; n < 512; n++) delays.enter(exchangeBy(Math.floor(n / 64)))
  assert.throws(() => delays.enter(exchangeBy(8)), refused)
})

test("a pause ends after its time, with its client, when all are woken, and at once when the service stops", async ({
  mock,
}) => {
  mock.timers.enable({ apis: ["setTimeout"] })
  const delays = createDelays()
  const ended: string[] = []
  const pause = (name: string, exchange = exchangeBy(1)) => {
    void delays.pause(exchange, 1000).then(() => ended.push(name))
    return exchange
  }
  const { response: waited } = pause("time")
  mock.timers.tick(999)
  await turn()
  assert.deepEqual(ended, [])
  mock.timers.tick(1)
  await turn()
  assert.deepEqual([ended.splice(0), waited.listenerCount("close")], [["time"], 0])
  const { response } = pause("client")
  response.emit("close")
  await turn()
  assert.deepEqual([ended.splice(0), response.listenerCount("close")], [["client"], 0])
  pause("woken")
  delays.wake()
  await turn()
  assert.deepEqual(ended.splice(0), ["woken"])
  const gone = exchangeBy(1)
  gone.response.destroy()
  pause("gone", gone)
  mock.timers.tick(1)
  await turn()
  assert.deepEqual(ended.splice(0), ["gone"])
  pause("running")
  delays.drain()
  pause("later")
  mock.timers.tick(1)
  await turn()
  assert.deepEqual(ended, ["running", "later"])
})
