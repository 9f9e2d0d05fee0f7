import assert from "node:assert/strict"
import { EventEmitter } from "node:events"
import { test } from "node:test"
import type { Exchange } from "../../server/exchange/exchange.ts"
import { exportSlots } from "./export-slots.ts"

const response = (destroyed = false) => Object.assign(new EventEmitter(), { destroyed })
const exchangeOf = (response: object) => ({ response }) as unknown as Exchange

test("a person has one export at a time, and the service four", () => {
  const take = exportSlots()
  const first = response()
  take(1, exchangeOf(first))
  assert.throws(() => take(1, exchangeOf(response())), {
    code: "unavailable",
    detail: "You have an export running. Wait for it to end",
    retryAfter: 10,
  })
  for (const person of [2, 3, 4]) take(person, exchangeOf(response()))
  assert.throws(() => take(5, exchangeOf(response())), {
    code: "unavailable",
    detail: "4 exports are running, the maximum. Try again soon",
    retryAfter: 10,
  })
  first.emit("close")
  take(5, exchangeOf(response()))
  assert.throws(() => take(6, exchangeOf(response())), { code: "unavailable" })
})

test("a response that was closed before takes no slot", () => {
  const take = exportSlots()
  take(1, exchangeOf(response(true)))
  take(1, exchangeOf(response()))
})
