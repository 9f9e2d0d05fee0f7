import assert from "node:assert/strict"
import { type TestContext, test } from "node:test"
import { setImmediate } from "node:timers/promises"
import { Refused } from "../client.ts"
import { followEvents } from "./events.ts"
import { type Following, followStream } from "./follow.ts"

type Outcome = string | Response | Error

/** Follows a stream whose connections end as given, one after the other, then with the signal: what is yielded, asked and reported. */
async function followed(outcomes: Outcome[], options: Partial<Following> = {}) {
  const ending = new AbortController()
  const asked: unknown[] = []
  const reports: string[] = []
  const pauses: number[] = []
  const send: typeof fetch = async (url, { headers, redirect } = {}) => {
    const outcome = outcomes.shift()
    asked.push([url, headers])
    assert.equal(redirect, "manual")
    if (outcome instanceof Error) throw outcome
    if (outcome instanceof Response) return outcome
    if (outcome === undefined) ending.abort()
    return new Response(outcome ?? "")
  }
  const stream = followStream({
    url: "http://a",
    headers: async () => ({ api_key: "k" }),
    signal: ending.signal,
    fetch: send,
    pause: async (ms) => void pauses.push(ms),
    report: (what) => reports.push(what),
    ...options,
  })
  const yielded: unknown[] = []
  let error: unknown
  try {
    for await (const event of stream) yielded.push(event)
  } catch (caught) {
    error = caught
  }
  return { yielded, asked, reports, pauses, error }
}
const refusal = (status: number, headers: Record<string, string> = {}) => new Response("", { status, headers })

test("events are yielded once across connections, each of which resumes after the last position", async () => {
  const { yielded, asked, reports, pauses, error } = await followed([
    'id: e1\ndata: {"a":1}\n\nid: e2\n\ndata: unnamed\n\nid:\ndata: empty\n\n',
    "id: e3\ndata: x\n\nid: e4\ndata: half",
    "",
  ])
  assert.equal(error, undefined)
  assert.deepEqual(yielded, [
    { id: "e1", body: '{"a":1}' },
    { id: "e3", body: "x" },
  ])
  const asking = (id?: string) => [
    "http://a/api/v3/events/stream",
    { accept: "text/event-stream", api_key: "k", ...(id !== undefined && { "last-event-id": id }) },
  ]
  assert.deepEqual(asked, [asking(), asking("e2"), asking("e3"), asking("e3")])
  assert.deepEqual(reports, [
    "connected",
    "ended",
    "connected again",
    "ended",
    "connected again",
    "ended",
    "connected again",
  ])
  assert.deepEqual(pauses, [2000, 2000, 2000])
})

test("a stream starts after an event or at a time, and may be another one", async () => {
  const { asked } = await followed([], { after: "e1", since: "2026-01-01T00:00:00Z", path: "/sandbox/requests/stream" })
  assert.deepEqual(
    asked.map((each) => (each as unknown[])[0]),
    ["http://a/api/v3/sandbox/requests/stream?after=e1&since=2026-01-01T00%3A00%3A00Z"],
  )
})

test("the first connection must succeed, later ones are retried unless they are refused for good", async () => {
  const network = new TypeError("fetch failed")
  for (const first of [network, refusal(429), refusal(503), refusal(404), refusal(202)]) {
    const { error, reports } = await followed([first])
    assert.equal(error instanceof Refused ? error.status : error, first instanceof Response ? first.status : network)
    assert.deepEqual(reports, [])
  }
  const { error, pauses, reports } = await followed([
    "",
    network,
    refusal(500),
    refusal(429, { "retry-after": "7" }),
    refusal(429, { "retry-after": "60" }),
    refusal(429, { "retry-after": "61" }),
    refusal(503, { "retry-after": "0" }),
    "",
    refusal(499),
    "",
  ])
  assert.deepEqual(pauses, [2000, 2000, 2000, 7000, 60_000, 60_000, 2000, 2000])
  assert.deepEqual(reports, ["connected", "ended", ...Array(6).fill("lost"), "connected again", "ended"])
  assert.ok(error instanceof Refused)
  assert.deepEqual([error.status, error.operation], [499, "streamEvents"])
})

test("an aborted signal ends the iteration without an error, also in a pause", async (t: TestContext) => {
  assert.deepEqual(await followed([""], { signal: AbortSignal.abort() }), {
    yielded: [],
    asked: [],
    reports: [],
    pauses: [],
    error: undefined,
  })
  t.mock.timers.enable({ apis: ["setTimeout"] })
  const ending = new AbortController()
  const stream = followStream({
    url: "http://a",
    headers: async () => ({}),
    signal: ending.signal,
    fetch: async () => new Response(""),
  })
  const next = stream.next()
  await setImmediate()
  ending.abort()
  assert.deepEqual(await next, { done: true, value: undefined })

  const broken = new AbortController()
  const failing = followStream({
    url: "http://a",
    headers: async () => ({}),
    signal: broken.signal,
    fetch: () => {
      broken.abort()
      return Promise.reject(new TypeError("fetch failed"))
    },
  })
  assert.deepEqual(await failing.next(), { done: true, value: undefined })
})

test("a connection without a response or without a heartbeat for 45 seconds counts as ended", async (t: TestContext) => {
  t.mock.timers.enable({ apis: ["setTimeout"] })
  const silent: typeof fetch = (_url, { signal } = {}) =>
    new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)))
  const unanswered = followed([], { fetch: silent })
  await setImmediate()
  t.mock.timers.tick(44_999)
  t.mock.timers.tick(1)
  assert.deepEqual((await unanswered).error, new DOMException("no response", "TimeoutError"))

  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let cancelled = 0
  const open = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given
    },
    cancel: () => {
      cancelled += 1
    },
  })
  const reading = followed([new Response(open)])
  await setImmediate()
  t.mock.timers.tick(44_999)
  controller?.enqueue(new TextEncoder().encode(": heartbeat\n"))
  await setImmediate()
  t.mock.timers.tick(44_999)
  assert.equal(cancelled, 0)
  t.mock.timers.tick(1)
  const { reports } = await reading
  assert.deepEqual([cancelled, reports], [1, ["connected", "ended", "connected again"]])
})

test("a reader that stops cancels the connection", async () => {
  let cancelled = 0
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode("id: e1\ndata: {}\n\n")),
    cancel: () => {
      cancelled += 1
    },
  })
  const events = followEvents({ url: "http://a/api/v3", apiKey: "k", fetch: async () => new Response(body) })
  for await (const event of events) {
    assert.deepEqual(event, { id: "e1", event: {} })
    break
  }
  assert.equal(cancelled, 1)
})
