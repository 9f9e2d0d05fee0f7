import assert from "node:assert/strict"
import { test } from "node:test"
import type { Metric } from "../kernel/measure.ts"
import type { Exchange } from "./exchange/exchange.ts"
import { requestMetrics, serverMetrics } from "./metrics.ts"

const resource = { path: "/pet/{petId}", routes: new Map([["GET", { operation: "getPetById" }]]), allow: "" }
const exchangeOf = (method: string, status: number, more: object = {}) =>
  ({ method, status, resource, ...more }) as unknown as Exchange

async function samplesOf(metrics: readonly Metric[], name: string) {
  const metric = metrics.find((one) => one.name === name)
  if (metric === undefined || metric.type === "histogram") throw new Error("no counter")
  return (await metric.read()).map(({ labels, value }) => [...Object.values(labels), value])
}

test("requests are counted by method, route and status; callers can invent none of them", () => {
  const { record, metrics } = requestMetrics([])
  record(exchangeOf("GET", 200), 1_500)
  record(exchangeOf("GET", 200), 500)
  record(exchangeOf("GET", 404), 1)
  record(exchangeOf("OPTIONS", 204), 1)
  record(exchangeOf("BREW", 405), 1)
  record(exchangeOf("SIP", 405), 1)
  record(exchangeOf("GET", 404, { resource: undefined }), 1)
  const [histogram] = metrics
  if (histogram?.type !== "histogram") throw new Error("no histogram")
  const counts = histogram
    .read()
    .map(({ labels, durations: { counts, sumSeconds } }) => [
      ...Object.values(labels),
      counts.reduce((sum, count) => sum + count, 0),
      sumSeconds,
    ])
  assert.deepEqual(counts, [
    ["GET", "/pet/{petId}", "getPetById", "200", 2, 2],
    ["GET", "/pet/{petId}", "getPetById", "404", 1, 0.001],
    ["OPTIONS", "/pet/{petId}", "", "204", 1, 0.001],
    ["_OTHER", "/pet/{petId}", "", "405", 2, 0.002],
    ["_OTHER", "", "", "404", 1, 0.001],
  ])
})

test("problems are counted from 0, of requests and of messages that never became one", async () => {
  const { record, problem, metrics } = requestMetrics(["not-found", "malformed-request"])
  assert.deepEqual(await samplesOf(metrics, "petstore_problems_total"), [
    ["not-found", 0],
    ["malformed-request", 0],
  ])
  record(exchangeOf("GET", 200), 1)
  record(exchangeOf("GET", 404, { problem: "not-found" }), 1)
  problem("malformed-request")
  problem("malformed-request")
  assert.deepEqual(await samplesOf(metrics, "petstore_problems_total"), [
    ["not-found", 1],
    ["malformed-request", 2],
  ])
})

test("requests of a plan are counted by whether they were admitted", async () => {
  const { quota, metrics } = requestMetrics([])
  for (const isAdmitted of [true, true, false]) quota("free", isAdmitted)
  quota("pro", true)
  assert.deepEqual(await samplesOf(metrics, "petstore_plan_requests_total"), [
    ["free", "admitted", 2],
    ["pro", "admitted", 1],
    ["free", "refused", 1],
  ])
})

test("what is under way is read when it is asked for", async () => {
  const lookups = { hits: 4, misses: 5 }
  const metrics = serverMetrics({ underWay: () => 1, uploads: () => 2, streams: () => 3, lookups })
  for (const [n, name] of [
    "http_server_active_requests",
    "petstore_uploads_active",
    "petstore_event_streams_active",
  ].entries())
    assert.deepEqual(await samplesOf(metrics, name), [[n + 1]])
  lookups.hits++
  assert.deepEqual(await samplesOf(metrics, "petstore_cache_lookups_total"), [
    ["principals", "hit", 5],
    ["principals", "miss", 5],
  ])
})
