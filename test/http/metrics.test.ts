import assert from "node:assert/strict"
import { test } from "node:test"
import { problems } from "../../src/core/domain/problems/problems.ts"
import { serverUrl } from "../harness/database.ts"
import { readMetrics, type Sample, samplesIn, sumOf } from "../harness/metrics.ts"
import { refusedAs, startPetstore } from "../harness/petstore.ts"
import { respondWith, startReceiver } from "../harness/receiver.ts"
import { startRedis, withoutRedis } from "../harness/redis.ts"
import { until } from "../harness/until.ts"

type Petstore = Awaited<ReturnType<typeof startPetstore>>

const requests = "http_server_request_duration_seconds_count"

test("requests are counted by operation and status, refusals by problem, limits by plan, cache lookups by result", async () => {
  await using petstore = await startPetstore({ env: { PETSTORE_PLAN_FREE: "2/minute, 100/day" } })
  const free = petstore.as("free-key")
  await free.getPetById({ params: { petId: 1 } })
  await assert.rejects(free.getPetById({ params: { petId: 4711 } }), refusedAs("pet-not-found"))
  await assert.rejects(free.getPetById({ params: { petId: 1 } }), refusedAs("quota-exceeded"))
  await petstore.as("special-key").getInventory()

  const samples = await readMetrics(petstore)
  const route = { http_request_method: "GET", http_route: "/api/v3/pet/{petId}", operation: "getPetById" }
  for (const status of [200, 404, 429])
    assert.equal(sumOf(samples, requests, { ...route, http_response_status_code: String(status) }), 1)
  assert.equal(sumOf(samples, requests, { operation: "getInventory" }), 1)
  for (const code of ["pet-not-found", "quota-exceeded"])
    assert.equal(sumOf(samples, "petstore_problems_total", { code }), 1)
  const counted = (plan: string, outcome: string) => sumOf(samples, "petstore_plan_requests_total", { plan, outcome })
  assert.deepEqual(
    [counted("free", "admitted"), counted("free", "refused"), counted("enterprise", "admitted")],
    [2, 1, 1],
  )
  const lookups = (result: string) => sumOf(samples, "petstore_cache_lookups_total", { cache: "principals", result })
  assert.deepEqual({ miss: lookups("miss"), hit: lookups("hit") }, { miss: 2, hit: 2 })
})

test("requests to a named sandbox are counted with those of the service", {
  skip: serverUrl && "named sandboxes need SQLite",
}, async () => {
  await using petstore = await startPetstore()
  const headers = { api_key: "special-key" }
  for (const store of ["", "/s/one", "/s/two"])
    assert.equal((await fetch(`${petstore.url}${store}/api/v3/pet/1`, { headers })).status, 200)
  assert.equal(sumOf(await readMetrics(petstore), requests, { operation: "getPetById" }), 3)
})

test("every problem is counted from 0, so that its first is an increase", async () => {
  await using petstore = await startPetstore()
  const counted = (await readMetrics(petstore)).filter(({ name }) => name === "petstore_problems_total")
  assert.deepEqual(counted.map(({ labels }) => labels.code).sort(), Object.keys(problems).sort())
  assert.ok(counted.every(({ value }) => value === 0))
})

test("a request is in every bucket it fits, and in the sum", async () => {
  await using petstore = await startPetstore()
  for (let n = 0; n < 20; n++) await petstore.as("special-key").getInventory()
  const samples = await readMetrics(petstore)
  const operation = "getInventory"
  const buckets = samples.filter(
    ({ name, labels }) => name.endsWith("duration_seconds_bucket") && labels.operation === operation,
  )
  const counts = buckets.map(({ value }) => value)
  assert.deepEqual(buckets.map(({ labels }) => labels.le).slice(-3), ["5", "10", "+Inf"])
  assert.deepEqual(
    counts,
    counts.toSorted((a, b) => a - b),
  )
  assert.equal(counts.at(-1), 20)
  const seconds = sumOf(samples, "http_server_request_duration_seconds_sum", { operation })
  assert.ok(seconds > 0 && seconds < 20)
})

test("nothing a caller chooses becomes a label, so that callers cannot make the metrics grow (slow)", async () => {
  await using petstore = await startPetstore()
  await readMetrics(petstore)
  await sendStrangeRequests(petstore, 0, 1)
  const before = seriesOf(await readMetrics(petstore))
  await sendStrangeRequests(petstore, 1, 60)
  const after = seriesOf(await readMetrics(petstore))
  assert.deepEqual(
    after.filter((series) => !before.includes(series)),
    [],
  )
  assert.ok(before.length > 50)
  assert.ok(after.every((name) => !name.includes("strange")))
})

/** One request of each kind, with a number wherever the caller chooses a value. */
async function sendStrangeRequests({ url }: Petstore, from: number, to: number): Promise<void> {
  for (let n = from; n < to; n++) {
    const headers = { "x-request-id": `strange-${n}`, "user-agent": `strange-${n}`, prefer: `strange-${n}` }
    const ask = (method: string, path: string, more: object = {}) =>
      fetch(url + path, { method, headers: { ...headers, ...more } }).then((response) => response.bytes())
    await ask("GET", `/strange-${n}`)
    await ask("GET", `/api/v3/strange/${n}`)
    await ask("PROPFIND", `/strange-${n}`)
    await ask("LINK", "/api/v3/pet/1")
    await ask(n % 2 ? "LOCK" : "UNLOCK", "/api/v3/pet/1")
    await ask("OPTIONS", `/api/v3/pet/${n}`)
    await ask("HEAD", `/api/v3/pet/1?strange${n}=1`, { api_key: "special-key" })
    await ask("GET", `/api/v3/pet/${n + 1_000_000}?strange${n}=1`, { api_key: "special-key" })
    await ask("GET", "/api/v3/pet/1", { api_key: `strange-${n}` })
    await ask("GET", `/images/${n}`)
    await ask("GET", `/problems/strange-${n}`)
    await ask("GET", `/oauth/strange-${n}`)
    await ask("POST", "/api/v3/user/login", { "content-type": `strange/${n}` })
  }
}

/** The labels of samples; those of the process itself vary. */
const seriesOf = (samples: readonly Sample[]): string[] =>
  samples
    .filter(({ name }) => !/^(nodejs|process)_/.test(name))
    .map(({ name, labels }) => `${name} ${JSON.stringify(labels)}`)
    .sort()

test("attempts at deliveries are measured by outcome, and the backlog by number and age", async () => {
  await using receiver = await startReceiver()
  receiver.respond(respondWith(500))
  await using petstore = await startPetstore()
  const store = petstore.as("special-key")
  await store.createWebhook({ body: { url: receiver.url, events: ["pet.created"] } })
  await store.addPet({ body: { name: "Rex", photoUrls: [] } })
  await petstore.worker.idle()
  await petstore.worker.drain(new AbortController().signal)
  const attempted = await readMetrics(petstore)
  assert.equal(sumOf(attempted, "petstore_delivery_attempt_duration_seconds_count", { outcome: "status" }), 1)
  assert.equal(sumOf(attempted, "petstore_deliveries_due"), 0)

  petstore.clock.advance(60_000)
  const waiting = await readMetrics(petstore)
  assert.equal(sumOf(waiting, "petstore_deliveries_due"), 1)
  const age = sumOf(waiting, "petstore_deliveries_oldest_due_age_seconds")
  assert.ok(age > 50 && age < 60, String(age))
})

test("whether Redis responds is measured, and the number of replicas", { skip: withoutRedis }, async () => {
  await using redis = await startRedis()
  await using petstore = await startPetstore({ env: { PETSTORE_REDIS_URL: redis.url } })
  const isUp = async () => sumOf(await readMetrics(petstore), "petstore_redis_up")
  assert.equal(await isUp(), 1)
  assert.equal(sumOf(await readMetrics(petstore), "petstore_replicas"), 1)
  await redis.kill("SIGKILL")
  await until(async () => (await isUp()) === 0, "Redis is still said to respond")
})

test("without Redis there is no metric of it", async () => {
  await using petstore = await startPetstore()
  const names = (await readMetrics(petstore)).map(({ name }) => name)
  assert.ok(names.includes("petstore_replicas"))
  assert.ok(!names.includes("petstore_redis_up"))
})

test("metrics have a port of their own when it is set, and in production no other", async () => {
  const production = { PETSTORE_PROFILE: "production", PETSTORE_PUBLIC_URL: "https://petstore.example" }
  await using petstore = await startPetstore({ env: { ...production, PETSTORE_METRICS_PORT: "0" } })
  assert.equal((await fetch(`${petstore.url}/metrics`)).status, 404)
  const url = `http://127.0.0.1:${petstore.metricsPort}`
  const response = await fetch(`${url}/metrics`)
  assert.equal(response.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8")
  const samples = samplesIn(await response.text())
  assert.ok(sumOf(samples, "process_resident_memory_bytes") > 1e7)
  assert.ok(sumOf(samples, "petstore_database_wal_size_bytes") > 0)
  for (const path of ["/", "/metrics/", "/api/v3/pet/1", "/metrics?x"])
    assert.equal((await fetch(url + path)).status, 404, path)
  assert.equal((await fetch(`${url}/metrics`, { method: "POST" })).status, 404)
})

test("a taken port for metrics stops the start, and the error names the setting", async () => {
  await using other = await startPetstore({ env: { PETSTORE_METRICS_PORT: "0" } })
  await assert.rejects(
    startPetstore({ env: { PETSTORE_METRICS_PORT: String(other.metricsPort) } }),
    /PETSTORE_METRICS_PORT cannot be used: .*EADDRINUSE/,
  )
})

test("metrics are read once a second, however many clients scrape them", async () => {
  await using petstore = await startPetstore()
  const read = async () => sumOf(samplesIn(await (await fetch(`${petstore.url}/metrics`)).text()), requests)
  const first = await read()
  assert.equal(await read(), first)
  petstore.clock.advance(1_000)
  assert.equal(await read(), first + 2)
})
