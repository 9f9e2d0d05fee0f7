import assert from "node:assert/strict"
import { test } from "node:test"
import type { Exchange } from "../exchange/exchange.ts"
import type { AddressDetail } from "./logged-address.ts"
import { principalOf, requestLog } from "./request-log.ts"

const trace = "0af7651916cd43dd8448eb211c80319c"
const key = { account: { id: 3 }, credential: { kind: "key", id: 1 } }
const session = { account: { id: 3 }, credential: { kind: "session", id: 7 }, user: { id: 2 } }

/** The line of a request, parsed, without the time. */
function lineOf(more: object, durationMs = 1.23456, detail: AddressDetail = "full") {
  const lines: string[] = []
  const exchange = {
    id: "r1",
    method: "GET",
    path: "/a",
    status: 200,
    address: "192.0.2.1",
    request: { headers: {} },
    mount: { logged: "" },
    ...more,
  } as unknown as Exchange
  requestLog({ write: (line) => lines.push(line) }, detail)(exchange, durationMs)
  const [line = "", ...others] = lines
  assert.deepEqual(others, [])
  assert.match(line, /^\{"level":30,"time":"\d{4}-\d\d-\d\dT[\d:.]+Z",.*\}\n$/)
  const { level, time, ...members } = JSON.parse(line)
  return members
}

const plain = {
  requestId: "r1",
  "http.request.method": "GET",
  "url.path": "/a",
  "http.response.status_code": 200,
  durationMs: 1.235,
  "client.address": "192.0.2.1",
}

test("a line has what every request has, its duration in milliseconds to a thousandth", () => {
  assert.deepEqual(lineOf({}), plain)
  assert.equal(lineOf({}, 1_234.5678).durationMs, 1_234.568)
})

test("a line has what the request led to", () => {
  for (const caller of [key, session]) {
    const more = {
      route: { operation: "addPet" },
      status: 404,
      caller,
      created: '"x"',
      problem: "not-found",
      mount: { logged: ',"sandbox":"s"' },
      request: { headers: { traceparent: `00-${trace}-b7ad6b7169203331-01` } },
    }
    for (let n = 0; n < 2; n++)
      assert.deepEqual(lineOf(more), {
        ...plain,
        operation: "addPet",
        "http.response.status_code": 404,
        ...principalOf(caller),
        sandbox: "s",
        created: "x",
        "error.type": "not-found",
        trace_id: trace,
      })
  }
})

test("operations and statuses are not mixed up", () => {
  for (const operation of ["addPet", undefined, "getPet"])
    for (const status of [200, 404, 200]) {
      const line = lineOf({ route: operation && { operation }, status })
      assert.deepEqual([line.operation, line["http.response.status_code"]], [operation, status])
    }
})

test("a traced request has the ids of its span", () => {
  const span = { traceId: "t1", spanId: "s1" }
  assert.deepEqual(lineOf({ span }), { ...plain, trace_id: "t1", span_id: "s1" })
})

test("any path is escaped", () => {
  for (const path of ['/"', "/\\", "/é", "/\x7f", "/\n", "/~ !"]) assert.equal(lineOf({ path })["url.path"], path)
})

test("addresses are left out on request, and without a destination nothing is written", () => {
  assert.equal("client.address" in lineOf({}, 1, "none"), false)
  requestLog(undefined, "full")({} as Exchange, 1)
})

test("a caller is an account with its credential, and its user if it has one", () => {
  assert.deepEqual(principalOf(key), { account: 3, key: 1 })
  assert.deepEqual(principalOf(session), { account: 3, session: 7, "user.id": 2 })
})
