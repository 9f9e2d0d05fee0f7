import assert from "node:assert/strict"
import type { IncomingMessage, ServerResponse } from "node:http"
import { test } from "node:test"
import { Exchange, type Mount } from "./exchange.ts"

const mount: Mount = { prefix: "/s/a", logged: "", observe: () => undefined }
const exchangeOf = (url: string, more: Partial<Mount> = {}) =>
  new Exchange({ method: "GET", url } as IncomingMessage, {} as ServerResponse, "id", "192.0.2.1", {
    ...mount,
    ...more,
  })

test("a target is divided at its first question mark", () => {
  for (const [target, path, query] of [
    ["/a", "/a", ""],
    ["/a?", "/a", ""],
    ["/a?b=c?d", "/a", "b=c?d"],
    ["?b", "", "b"],
  ] as const) {
    const exchange = exchangeOf(target)
    assert.deepEqual([exchange.path, exchange.query], [path, query])
  }
})

test("clients see the path below the prefix of the mount", () => {
  assert.equal(exchangeOf("/a").outside("/b"), "/s/a/b")
})

test("only a mount with timings has them", () => {
  assert.equal(exchangeOf("/a").timings, undefined)
  const none = { auth: undefined, limits: undefined, operation: undefined }
  assert.deepEqual(exchangeOf("/a", { isTimed: true }).timings, none)
})

test("a header can be added more than once, and replaced", () => {
  const exchange = exchangeOf("/a")
  exchange.replaceHeader("a", "1")
  exchange.header("b", "2")
  exchange.replaceHeader("a", "3")
  exchange.replaceHeader("b", "4")
  exchange.header("a", "5")
  assert.deepEqual(exchange.headers, ["a", "3", "b", "4", "a", "5"])
})
