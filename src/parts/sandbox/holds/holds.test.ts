import assert from "node:assert/strict"
import { test } from "node:test"
import { exchangeOf } from "../../../../test/harness/exchange.ts"
import { mockTimeouts } from "../../../../test/harness/timeouts.ts"
import type { Mount } from "../../../core/server/exchange/exchange.ts"
import { Observed } from "../journal/observed.ts"
import { createHolds } from "./holds.ts"

const mount: Mount = { prefix: "", logged: "", observer: { begin: () => new Observed() } }
const turn = () => new Promise((resolve) => setImmediate(resolve))

test("a request continues by itself after thirty seconds", async (t) => {
  const timers = mockTimeouts(t)
  const holds = createHolds(() => 7)
  let isOver = false
  const kept = holds.keep(exchangeOf("/pet/1", { mount }), "before").then(() => {
    isOver = true
  })
  timers.tick(29_999)
  await turn()
  assert.deepEqual([isOver, holds.list().map(({ id }) => id)], [false, [7]])
  timers.tick(1)
  await kept
  assert.deepEqual([holds.list(), holds.release(7)], [[], false])
})

test("a service that stops holds none, also none from then on", async () => {
  const holds = createHolds(() => 7)
  const exchange = exchangeOf("/pet/1", { mount })
  const kept = holds.keep(exchange, "after")
  holds.drain()
  await kept
  await holds.keep(exchange, "after")
  assert.equal(exchange.response.listenerCount("close"), 0)
})
