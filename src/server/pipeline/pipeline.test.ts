import assert from "node:assert/strict"
import { EventEmitter } from "node:events"
import type { IncomingMessage, ServerResponse } from "node:http"
import { test } from "node:test"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import type { Exchange, HttpRoute, Mount } from "../exchange/exchange.ts"
import { createRouter } from "../exchange/router.ts"
import { createPipeline, type PipelineParts } from "./pipeline.ts"

const mount: Mount = { prefix: "", logged: "", observe: () => undefined }
const responseOf = (body: string): HttpResponse => ({ status: 200, headers: [], body })
const ok = (more: Partial<HttpRoute> = {}): HttpRoute => ({
  admission: "files",
  handle: () => responseOf("handled"),
  ...more,
})

/** Runs a request through the pipeline and lists the steps that it passes. */
async function run(
  { method = "GET", url = "/a", headers = {}, rawHeaders = ["Host", "a"] }: Record<string, unknown> = {},
  route: HttpRoute | undefined = ok(),
  more: Partial<PipelineParts> = {},
) {
  const steps: string[] = []
  const router = createRouter()
  if (route) router.add([method === "OPTIONS" ? "GET" : (method as string)], "/a/:id", route)
  router.add(["GET"], "/a", route ?? ok())
  const step = (name: string) => () => void steps.push(name)
  let exchange: Exchange | undefined
  const parts: PipelineParts = {
    router,
    mount,
    enterMount: () => undefined,
    addressOf: () => "192.0.2.1",
    limitAddress: (kind, address) => void steps.push(`limit ${kind} ${address}`),
    requireCapacity: step("capacity"),
    guardAdministration: step("guard"),
    watchBody: step("watch"),
    respondNotFound: () => responseOf("not found"),
    respondToError: (_, error) => responseOf(`problem ${(error as { code?: string }).code ?? error}`),
    write(written, { body }) {
      exchange = written
      steps.push(`write ${body}`)
    },
    record: (recorded) => void steps.push(`record ${recorded.status}`),
    ...more,
  }
  const request = { method, url, headers, rawHeaders, httpVersion: "1.1" } as unknown as IncomingMessage
  const response = Object.assign(new EventEmitter(), { statusCode: 299 })
  createPipeline(parts)(request, response as unknown as ServerResponse)
  const immediate = [...steps]
  await new Promise(setImmediate)
  return { steps, immediate, exchange, response }
}

test("a route is handled after the checks of every request, without waiting for anything", async () => {
  const { steps, immediate, exchange } = await run({ headers: { "x-request-id": "own" }, url: "/a/7?b=c" })
  assert.deepEqual(steps, ["capacity", "guard", "limit files 192.0.2.1", "write handled", "record 0"])
  assert.deepEqual(immediate, steps)
  assert.deepEqual(
    [
      exchange?.id,
      { ...exchange?.params },
      exchange?.query,
      exchange?.resource?.path,
      exchange?.address,
      exchange?.mount === mount,
    ],
    ["own", { id: "7" }, "b=c", "/a/{id}", "192.0.2.1", true],
  )
})

test("an operation limits its requests itself, and health is neither limited nor shed", async () => {
  assert.deepEqual((await run({}, ok({ admission: "operation" }))).steps, [
    "capacity",
    "guard",
    "write handled",
    "record 0",
  ])
  const health = await run({ headers: { "content-length": "1" } }, ok({ admission: "health" }))
  assert.deepEqual(health.steps, ["write handled", "record 0"])
})

test("a body is watched", async () => {
  const { steps } = await run({ method: "POST", url: "/a/7", headers: { "content-length": "1" } })
  assert.deepEqual(steps.slice(0, 2), ["watch", "capacity"])
})

test("an unknown path counts against the address before it is refused", async () => {
  assert.deepEqual((await run({ url: "/b" })).steps, [
    "capacity",
    "limit anonymous 192.0.2.1",
    "write not found",
    "record 0",
  ])
})

test("a method that a path lacks counts against the address before it is refused", async () => {
  const checks = ["capacity", "guard", "limit anonymous 192.0.2.1"]
  assert.deepEqual((await run({ method: "PUT" })).steps, [...checks, "write problem method-not-allowed", "record 0"])
  assert.deepEqual((await run({ method: "OPTIONS" })).steps, [...checks, "write undefined", "record 0"])
})

test("a malformed head is refused before anything else", async () => {
  for (const request of [{ rawHeaders: [] }, { url: "/a?%" }])
    assert.deepEqual((await run(request)).steps, ["write problem malformed-request", "record 0"])
})

test("an error is responded to by the route or the service, whenever it occurs", async () => {
  const fail = () => {
    throw new Error("x")
  }
  const steps = ["capacity", "guard", "limit files 192.0.2.1"]
  for (const handle of [fail, async () => fail()]) {
    assert.deepEqual((await run({}, ok({ handle }))).steps, [...steps, "write problem Error: x", "record 0"])
    const page = ok({ handle, respondToError: () => responseOf("page") })
    assert.deepEqual((await run({}, page)).steps, [...steps, "write page", "record 0"])
  }
  const refused = await run({}, ok(), { requireCapacity: fail })
  assert.deepEqual(refused.steps, ["write problem Error: x", "record 0"])
})

test("a response that cannot be written becomes that of the failure", async () => {
  for (const handle of [() => responseOf("large"), async () => responseOf("large")]) {
    const written: unknown[] = []
    const { steps } = await run({}, ok({ handle }), {
      write(_, { body }) {
        written.push(body)
        if (body === "large") throw new Error("overloaded")
      },
    })
    assert.deepEqual(written, ["large", "problem Error: overloaded"])
    assert.equal(steps.filter((step) => step.startsWith("record")).length, 1)
  }
})

test("a request whose limit must be awaited is handled afterwards, unless it is refused", async () => {
  const later = await run({}, ok(), { limitAddress: async () => undefined })
  assert.deepEqual(
    [later.immediate, later.steps.slice(-2)],
    [
      ["capacity", "guard"],
      ["write handled", "record 0"],
    ],
  )
  const refused = await run({}, ok(), { limitAddress: () => Promise.reject(new Error("limited")) })
  assert.deepEqual(refused.steps.slice(-2), ["write problem Error: limited", "record 0"])
})

test("a route that writes its response itself is recorded when that has closed", async () => {
  const { steps, response } = await run({}, ok({ handle: () => undefined }))
  assert.equal(steps.at(-1), "limit files 192.0.2.1")
  response.emit("close")
  response.emit("close")
  assert.deepEqual(steps.slice(3), ["record 299"])
})

test("a mount has routes of its own, now or later", async () => {
  const other = createRouter()
  other.add(["GET"], "/a", ok({ handle: () => responseOf("other") }))
  for (const entering of [other, Promise.resolve(other)])
    assert.equal((await run({}, ok(), { enterMount: () => entering })).steps.at(-2), "write other")
})

test("a part of the service is loaded by its first request", async () => {
  const router = createRouter()
  const part = createRouter()
  part.add(["GET"], "/p/x", ok())
  router.addPart("/p", async () => part)
  assert.equal((await run({ url: "/p/x" }, ok(), { router })).steps.at(-2), "write handled")
  assert.equal((await run({ url: "/p/y" }, ok(), { router })).steps.at(-2), "write not found")
})

test("a traced request runs in its span", async () => {
  const spans: string[] = []
  const runInSpan: PipelineParts["runInSpan"] = (exchange, within) => {
    spans.push(exchange.path)
    within(exchange)
  }
  assert.equal((await run({}, ok(), { runInSpan })).steps.at(-2), "write handled")
  assert.deepEqual(spans, ["/a"])
})
