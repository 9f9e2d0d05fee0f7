import assert from "node:assert/strict"
import { test } from "node:test"
import type { Exchange } from "../exchange/exchange.ts"
import { privatePage, redirect } from "./page-response.ts"

test("a private page cannot be read by pages of other origins", () => {
  const exchange = { isReadableAnywhere: true } as Exchange
  const page = redirect("/a")
  assert.equal(privatePage(exchange, page), page)
  assert.equal(exchange.isReadableAnywhere, false)
  assert.deepEqual(page, { status: 303, headers: ["location", "/a", "cache-control", "no-store"], body: undefined })
})
