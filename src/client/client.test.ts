import assert from "node:assert/strict"
import { test } from "node:test"
import type { Endpoint } from "../core/kernel/endpoint/endpoint.ts"
import { type ClientOptions, createClient, Refused, type Send } from "./client.ts"

const routes = {
  find: { path: "/pet/{petId}" },
  add: { method: "POST", path: "/pet", idempotent: "by-key" },
  change: { method: "PATCH", path: "/pet/{petId}", consumes: ["application/merge-patch+json"] },
  token: { method: "POST", path: "/token", consumes: ["application/x-www-form-urlencoded"] },
  upload: { method: "POST", path: "/image" },
  follow: { path: "/stream", streams: true },
} as const

type Input = {
  params?: object
  query?: object
  body?: unknown
  upload?: Blob | FormData
  idempotencyKey?: string
}
type Options = { headers?: Record<string, string>; signal?: AbortSignal }
type Response_ = { value: unknown; text: string; status: number; headers: Headers }
type Calls = Record<keyof typeof routes, (input?: Input, options?: Options) => Promise<Response_>>

/** The client of these routes, with the requests that it sent. */
function opened(options: Partial<ClientOptions> = {}, respond = () => Response.json({ id: 1 })) {
  const sent: (Parameters<Send>[1] & { url: string })[] = []
  const client: unknown = createClient<Record<string, Endpoint>>(routes, {
    url: "http://a",
    fetch: async (url, request) => {
      sent.push({ url, ...request })
      return respond()
    },
    ...options,
  })
  return { call: client as Calls, sent }
}
const json = { accept: "application/json" }

test("a call is one request, with the method, address, headers and body of its route", async () => {
  const { call, sent } = opened({ headers: { api_key: "k" } })
  const response = await call.find(
    { params: { petId: 7 }, query: { x: 1 } },
    { headers: { "X-More": "1", Accept: "a/b" } },
  )
  assert.deepEqual([response.value, response.text, response.status], [{ id: 1 }, '{"id":1}', 200])
  await call.add({ body: { name: "A" } })
  await call.add({ body: { name: "A" }, idempotencyKey: "k1" })
  await call.change({ params: { petId: 7 }, body: { name: "B" } })
  await call.token({ body: { grant: "x y" } })
  assert.deepEqual(
    sent.map(({ signal: _, ...request }) => request),
    [
      { url: "http://a/api/v3/pet/7?x=1", method: "GET", headers: { accept: "a/b", api_key: "k", "x-more": "1" } },
      { method: "POST", body: '{"name":"A"}', headers: { ...json, "content-type": "application/json", api_key: "k" } },
      {
        method: "POST",
        body: '{"name":"A"}',
        headers: { ...json, "content-type": "application/json", "idempotency-key": "k1", api_key: "k" },
      },
      {
        url: "http://a/api/v3/pet/7",
        method: "PATCH",
        body: '{"name":"B"}',
        headers: { ...json, "content-type": "application/merge-patch+json", api_key: "k" },
      },
      {
        url: "http://a/api/v3/token",
        method: "POST",
        body: "grant=x+y",
        headers: { ...json, "content-type": "application/x-www-form-urlencoded", api_key: "k" },
      },
    ].map((request) => ({ url: "http://a/api/v3/pet", redirect: "manual", ...request })),
  )
  assert.deepEqual(Object.keys(call), ["find", "add", "change", "token", "upload"])
})

test("headers may be asked for with each call", async () => {
  let calls = 0
  const { call, sent } = opened({ headers: async () => ({ api_key: `k${++calls}` }) })
  await call.find()
  await call.find()
  assert.deepEqual(
    sent.map(({ headers }) => headers.api_key),
    ["k1", "k2"],
  )
})

test("a file is sent with its type, a form as multipart", async () => {
  const { call, sent } = opened()
  await call.upload({ upload: new Blob([new Uint8Array([1, 2])], { type: "image/png" }) })
  await call.upload({ upload: new Blob([new Uint8Array([3])]) })
  const form = new FormData()
  form.append("file", new Blob(["x"]), "a.txt")
  await call.upload({ upload: form })
  const [image, untyped, multipart] = sent
  assert.deepEqual([image?.headers["content-type"], image?.body], ["image/png", new Uint8Array([1, 2])])
  assert.deepEqual([untyped?.headers["content-type"], untyped?.body], ["application/octet-stream", new Uint8Array([3])])
  assert.match(multipart?.headers["content-type"] ?? "", /^multipart\/form-data; boundary=/)
})

test("only repeatable calls are retried, with a key where the operation honours one", async () => {
  for (const [name, given, attempts, hasKey] of [
    ["find", {}, 3, false],
    ["add", {}, 3, true],
    ["change", {}, 1, false],
    ["change", { headers: { "Idempotency-Key": "own" } }, 3, true],
    ["upload", {}, 1, false],
  ] as const) {
    const { call, sent } = opened({ retries: 2, pause: async () => {} }, () => new Response("", { status: 503 }))
    await assert.rejects(call[name]({}, given), { status: 503, operation: name })
    const keys = sent.map(({ headers }) => headers["idempotency-key"])
    assert.deepEqual([keys.length, new Set(keys).size, keys[0] !== undefined], [attempts, 1, hasKey], name)
  }
  const once = opened({ retries: 1, pause: async () => {} }, () => new Response("", { status: 503 }))
  await assert.rejects(once.call.add())
  assert.match(once.sent[0]?.headers["idempotency-key"] ?? "", /^[0-9a-f]{32}$/)
  assert.equal(once.sent.length, 2)
  const { call, sent } = opened()
  await call.add({ body: {} })
  assert.equal(sent[0]?.headers["idempotency-key"], undefined)
})

test("a response is its JSON, nothing when it is empty or not modified, and a refusal otherwise", async () => {
  const respondedWith = (text: string | null, status: number, type = "application/json") =>
    opened({}, () => new Response(text, { status, headers: { "content-type": type, "x-a": "1" } })).call.find()
  assert.equal((await respondedWith("", 200)).value, undefined)
  const unmodified = await respondedWith(null, 304)
  assert.deepEqual([unmodified.value, unmodified.status, unmodified.headers.get("x-a")], [undefined, 304, "1"])
  await assert.rejects(respondedWith("<html>", 200), {
    code: "unknown",
    status: 200,
    operation: "find",
    message: "http://a responded 200 with something other than JSON; is it a Petstore?",
  })
  await assert.rejects(respondedWith(null, 307), { code: "unknown", status: 307 })
  const problem = {
    code: "pet-not-found",
    status: 404,
    detail: "There is none",
    requestId: "r",
    errors: [{ code: "x" }],
  }
  const refused = await respondedWith(JSON.stringify(problem), 404, "application/problem+json").catch((error) => error)
  assert.ok(refused instanceof Refused)
  const { name, message, code, status, errors, requestId, operation, headers } = refused
  assert.deepEqual(
    { name, message, code, status, errors, requestId, operation, header: headers.get("x-a") },
    {
      name: "Refused",
      message: "There is none",
      code: "pet-not-found",
      status: 404,
      errors: problem.errors,
      requestId: "r",
      operation: "find",
      header: "1",
    },
  )
  const { errors: _, ...plain } = problem
  const bare = new Refused({ ...plain, type: "", title: "", instance: "", message: "" }, new Headers())
  assert.deepEqual([bare.errors, bare.operation], [[], ""])
})

test("an attempt ends at its timeout or when the call is aborted", async () => {
  const ending = new AbortController()
  const silent: Send = (_url, { signal }) =>
    new Promise((_, reject) => {
      if (signal?.aborted) reject(signal.reason)
      signal?.addEventListener("abort", () => reject(signal.reason))
    })
  await assert.rejects(opened({ fetch: silent, timeoutMs: 1 }).call.find(), { name: "TimeoutError" })
  const aborted = opened({ fetch: silent }).call.find({}, { signal: ending.signal })
  ending.abort(new Error("enough"))
  await assert.rejects(aborted, new Error("enough"))
})
