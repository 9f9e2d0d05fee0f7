import assert from "node:assert/strict"
import { test } from "node:test"
import { exchangeOf } from "../../../test/harness/exchange.ts"
import { principalOf } from "../../../test/harness/principal.ts"
import type { Exchanged } from "../../domain/sandbox/model.ts"
import { Journals } from "../../sandbox/journal.ts"
import type { HttpRoute } from "../../server/exchange/exchange.ts"
import { nothingKnown } from "./explain.ts"
import { recorder } from "./record-request.ts"

function recording() {
  const added: Exchanged[] = []
  const journal = new Journals().open({ now: () => 0 })
  const { beforeHead, observe, isTimed } = recorder(
    {
      newest: () => [],
      after: () => [],
      clear() {},
      removedUntil: () => undefined,
      listen: () => () => {},
      add(exchanged) {
        added.push(exchanged)
        journal.add(exchanged)
      },
      last: () => journal.last(),
    },
    () => "https://a.example/s/one",
  )
  return { added, beforeHead: beforeHead ?? assert.fail("it records"), observe, isTimed }
}

const routeOf = (operation: string): HttpRoute => ({ admission: "operation", operation, handle: () => undefined })

test("a finished request is recorded as it was", () => {
  const { added, observe, isTimed } = recording()
  const exchange = exchangeOf("/api/v3/pet/1?a=1", { method: "PUT" })
  const { caller } = principalOf(7)
  Object.assign(exchange, {
    route: routeOf("updatePet"),
    status: 404,
    problem: "pet-not-found",
    fault: "wait=1",
    caller,
    received: Buffer.from("sent"),
    sent: "received",
    head: ["etag", "a"],
  })
  exchange.request.rawHeaders = ["Accept", "a"]
  exchange.header("vary", "accept")
  observe(exchange, 12.5)
  assert.deepEqual(added, [
    {
      facts: {
        durationMs: 12.5,
        operation: "updatePet",
        webhookId: undefined,
        method: "PUT",
        status: 404,
        problem: "pet-not-found",
        fault: "wait=1",
        caller,
        explanation: undefined,
      },
      path: "/api/v3/pet/1",
      query: "a=1",
      requestHeaders: ["Accept", "a"],
      responseHeaders: [
        ["x-request-id", "request-1"],
        ["etag", "a"],
        ["vary", "accept"],
      ],
      requestBody: Buffer.from("sent"),
      responseBody: "received",
    },
  ])
  assert.equal(isTimed, true)
})

test("what programs call is recorded, but for the operations on the journal itself", () => {
  const { added, observe } = recording()
  const seen = (path: string, operation?: string) => {
    const exchange = exchangeOf(path)
    exchange.route = operation === undefined ? undefined : routeOf(operation)
    const before = added.length
    observe(exchange, 1)
    return added.length > before
  }
  const paths = ["/api/v3/pet", "/v2/pet", "/oauth/token", "/api/v3", "/console/pets", "/oauth/auth", "/docs/api/v3/"]
  assert.deepEqual(
    paths.map((path) => seen(path)),
    [true, true, true, false, false, false, false],
  )
  assert.deepEqual([seen("/api/v3/sandbox/requests", "listRequests"), seen("/api/v3/pet", "addPet")], [false, true])
})

test("a request that asks for an explanation is led to it", () => {
  const { added, beforeHead, observe } = recording()
  const headers = { prefer: "explain" }
  for (const id of [1, 2]) {
    const exchange = exchangeOf("/api/v3/pet/1", { headers })
    beforeHead(exchange)
    const link = `<https://a.example/s/one/api/v3/sandbox/requests/${id}>; rel="describedby"`
    assert.deepEqual(exchange.headers, ["preference-applied", "explain", "link", link])
    assert.deepEqual(exchange.explanation, nothingKnown())
    observe(exchange, 1)
    assert.equal(added.at(-1)?.facts.explanation, '{"events":[]}')
  }
  for (const exchange of [exchangeOf("/api/v3/pet/1"), exchangeOf("/console/pets", { headers })]) {
    beforeHead(exchange)
    assert.deepEqual([exchange.headers, exchange.explanation], [[], undefined])
  }
})

test("a stream that asks for an explanation is recorded when it starts, and once", () => {
  const { added, beforeHead, observe } = recording()
  const exchange = exchangeOf("/api/v3/events/stream", { headers: { prefer: "explain" } })
  exchange.headMs = 4
  beforeHead(exchange)
  observe(exchange, 5000)
  assert.deepEqual(
    added.map(({ facts }) => facts.durationMs),
    [4],
  )
})

test("in production nothing is recorded", () => {
  const { beforeHead, isTimed } = recorder(undefined, () => "")
  assert.deepEqual([beforeHead, isTimed], [undefined, undefined])
})
