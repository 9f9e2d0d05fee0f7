import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { temporaryDirectory } from "../harness/directory.ts"
import { type StartOptions, startPetstore } from "../harness/petstore.ts"
import { startReceiver } from "../harness/receiver.ts"
import { asker } from "../harness/send.ts"

type Attribute = { key: string; value: { stringValue?: string; intValue?: number } }
type Span = {
  name: string
  kind: number
  traceId: string
  spanId: string
  parentSpanId?: string
  status: { code?: number }
  attributes: Attribute[]
  facts: Record<string, string | number | undefined>
  startTimeUnixNano: string
  endTimeUnixNano: string
}
type ExportRequest = {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: Span[] }[] }[]
}

const [server, client] = [2, 3]
const trace = "4bf92f3577b34da6a3ce929d0e0e4736"
const parent = "00f067aa0ba902b7"
const image = readFileSync(
  join(import.meta.dirname, "..", "..", "src", "parts", "sandbox", "seeds", "images", "cat-1-320.webp"),
)

/** The spans and the resource that a service exports to a collector while `work` runs. */
async function spansOf(
  work: (petstore: Awaited<ReturnType<typeof startPetstore>>) => unknown,
  more: StartOptions = {},
) {
  await using collector = await startReceiver()
  collector.respond(
    (_request, response) => void response.writeHead(200, { "content-type": "application/json" }).end("{}"),
  )
  {
    await using petstore = await startPetstore({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }, ...more })
    await work(petstore)
  }
  assert.ok(collector.received.every(({ path }) => path === "/v1/traces"))
  const sent = collector.received.flatMap(({ body }) => (JSON.parse(body) as ExportRequest).resourceSpans)
  const spans = sent.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
  for (const span of spans) span.facts = factsOf(span.attributes)
  return { spans, resource: factsOf(sent[0]?.resource.attributes ?? []), text: JSON.stringify(sent) }
}

const factsOf = (attributes: Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]))

const named = (spans: Span[], name: string): Span => {
  const span = spans.find((span) => span.name === name)
  assert.ok(span, `${name} is not among ${spans.map(({ name }) => name).join(", ")}`)
  return span
}

test("a request continues its caller's trace, which includes its transaction", async () => {
  let lines: string[] = []
  const { spans, resource, text } = await spansOf(async (petstore) => {
    const headers = { api_key: "special-key", traceparent: `00-${trace}-${parent}-01`, "x-request-id": "mine" }
    await fetch(`${petstore.url}/api/v3/pet?secret=1`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ id: 4711, name: "Rex", photoUrls: [] }),
    })
    lines = [...petstore.lines]
  })
  const request = named(spans, "POST /api/v3/pet")
  assert.deepEqual(
    { traceId: request.traceId, parentSpanId: request.parentSpanId, kind: request.kind },
    { traceId: trace, parentSpanId: parent, kind: server },
  )
  assert.deepEqual(request.facts, {
    "http.request.method": "POST",
    "url.path": "/api/v3/pet",
    "url.scheme": "http",
    "http.route": "/api/v3/pet",
    "http.response.status_code": 200,
    "petstore.operation": "addPet",
    "petstore.request_id": "mine",
    "petstore.created": "4711",
    "petstore.account": 1,
  })
  const transaction = spans.find(({ parentSpanId }) => parentSpanId === request.spanId)
  assert.deepEqual({ name: transaction?.name, traceId: transaction?.traceId }, { name: "transaction", traceId: trace })
  assert.ok(BigInt(transaction?.endTimeUnixNano ?? 0) <= BigInt(request.endTimeUnixNano))
  assert.equal(resource["service.name"], "petstore")
  assert.doesNotMatch(text, /secret|special-key/)
  const line = lines.map((line) => JSON.parse(line)).find(({ requestId }) => requestId === "mine")
  assert.deepEqual({ trace_id: line.trace_id, span_id: line.span_id }, { trace_id: trace, span_id: request.spanId })
})

test("a request without a trace starts one, a refusal has its problem code, and only internal errors have the status error", async () => {
  const { spans } = await spansOf(async ({ url, store }) => {
    const get = asker({ url })
    await get("/api/v3/pet/4711")
    await get("/nowhere/secret")
    Object.assign(store.pets, {
      read: () => {
        throw new TypeError("a bug")
      },
    })
    await get("/api/v3/pet/1")
  })
  const [absent, nowhere, broken] = [
    named(spans, "GET /api/v3/pet/{petId}"),
    named(spans, "request"),
    spans.find(({ facts }) => facts["http.response.status_code"] === 500),
  ]
  assert.equal(absent.parentSpanId, undefined)
  assert.match(absent.traceId, /^(?!0{32})[\da-f]{32}$/)
  assert.deepEqual(
    { "error.type": absent.facts["error.type"], code: absent.status.code },
    { "error.type": "pet-not-found", code: 0 },
  )
  assert.deepEqual(
    { "http.route": nowhere.facts["http.route"], "error.type": nowhere.facts["error.type"] },
    { "http.route": undefined, "error.type": "not-found" },
  )
  assert.deepEqual(
    { "error.type": broken?.facts["error.type"], code: broken?.status.code },
    { "error.type": "internal-error", code: 2 },
  )
})

test("a request that the caller does not sample is not recorded", async () => {
  const { spans } = await spansOf(({ url }) =>
    fetch(`${url}/livez`, { headers: { traceparent: `00-${trace}-${parent}-00` } }),
  )
  assert.deepEqual(spans, [])
})

test("a delivery starts a trace, which its receiver can continue", async () => {
  await using receiver = await startReceiver()
  const { spans, text } = await spansOf(async (petstore) => {
    const store = petstore.as("special-key")
    await store.createWebhook({ body: { url: `${receiver.url}/hook?token=secret`, events: ["pet.created"] } })
    await store.addPet({ body: { name: "Rex", photoUrls: [] } })
    await receiver.until((received) => received.length > 0)
    await petstore.worker.idle()
  })
  const attempt = named(spans, "deliver pet.created")
  const [received] = receiver.received
  assert.equal(received?.headers.traceparent, `00-${attempt.traceId}-${attempt.spanId}-01`)
  assert.deepEqual(
    { kind: attempt.kind, parentSpanId: attempt.parentSpanId },
    { kind: client, parentSpanId: undefined },
  )
  assert.equal(attempt.facts["http.response.status_code"], 204)
  assert.equal(attempt.facts["petstore.event"], received?.headers["webhook-id"])
  assert.ok(spans.some(({ name, parentSpanId }) => name === "transaction" && parentSpanId === attempt.spanId))
  assert.doesNotMatch(text, /secret/)
})

test("decoding an image is part of its request's trace", async () => {
  const { spans } = await spansOf((petstore) =>
    petstore.as("special-key").uploadFile({ params: { petId: 1 }, upload: new Blob([image], { type: "image/webp" }) }),
  )
  const request = named(spans, "POST /api/v3/pet/{petId}/uploadImage")
  assert.equal(named(spans, "decode image").parentSpanId, request.spanId)
})

test("without a collector a webhook request carries no trace", async () => {
  await using receiver = await startReceiver()
  await using petstore = await startPetstore()
  const store = petstore.as("special-key")
  await store.createWebhook({ body: { url: receiver.url, events: ["pet.created"] } })
  await store.addPet({ body: { name: "Rex", photoUrls: [] } })
  await receiver.until((received) => received.length > 0)
  assert.equal(receiver.received[0]?.headers.traceparent, undefined)
})

test("OpenTelemetry is not loaded without a collector, nor prom-client before the first read of the metrics", () => {
  using directory = temporaryDirectory()
  const program = `
    import { createRequire } from "node:module"
    import pino from "pino"
    import { readConfig } from "./src/config.ts"
    import { createPetstore } from "./src/petstore.ts"
    const config = readConfig({ PETSTORE_PORT: "0", PETSTORE_DATA_DIR: ${JSON.stringify(directory.path)} })
    const { address, close } = await createPetstore(config, { log: pino({ enabled: false }), requestLines: undefined })
    const loaded = () => {
      const files = Object.keys(createRequire(import.meta.url).cache).join()
      return [/@opentelemetry.sdk/, /prom-client/].map((name) => name.test(files))
    }
    await (await fetch(address + "/api/v3/pet/1", { headers: { api_key: "special-key" } })).text()
    const before = loaded()
    await (await fetch(address + "/metrics")).text()
    console.log(JSON.stringify([before, loaded()]))
    await close(AbortSignal.abort())`
  const args = ["--input-type=module", "--eval", program]
  const output = execFileSync(process.execPath, args, { cwd: join(import.meta.dirname, "..", ".."), encoding: "utf8" })
  assert.deepEqual(JSON.parse(output), [
    [false, false],
    [false, true],
  ])
})

test("an unreachable collector delays no request, and the shutdown by at most two seconds", async () => {
  const petstore = await startPetstore({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" } })
  for (let n = 0; n < 5; n++) assert.equal((await fetch(`${petstore.url}/livez`)).status, 200)
  const began = performance.now()
  await petstore[Symbol.asyncDispose]()
  assert.ok(performance.now() - began < 5_000)
})
