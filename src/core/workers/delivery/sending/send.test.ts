import assert from "node:assert/strict"
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { after, before, test } from "node:test"
import { manualClock } from "../../../../../test/harness/clock.ts"
import { RefusedAddress } from "./address-guard.ts"
import { type Message, openWebhookSender, type Timeouts } from "./send.ts"

let respond = (_request: IncomingMessage, response: ServerResponse): void => void response.end()
const server = createServer((request, response) => respond(request, response))
let url: string
before(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening")
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?a=1`
})
after(() => {
  server.closeAllConnections()
  server.close()
})

const clock = manualClock(Date.UTC(2026, 0, 1))
const patient = new AbortController().signal

/** Sends one message to a receiver that responds like this; the outcome without its duration. */
async function send(
  how: typeof respond,
  more: { message?: Partial<Message>; timeouts?: Timeouts; signal?: AbortSignal } = {},
) {
  respond = how
  const sender = openWebhookSender(async () => ["127.0.0.1"], clock, more.timeouts)
  try {
    const message = { url, headers: { "webhook-id": "evt" }, body: "{}", ...more.message }
    const before = performance.now()
    const { durationMs, ...outcome } = await sender.post(message, more.signal ?? patient)
    const most = Math.ceil(performance.now() - before)
    assert.ok(Number.isInteger(durationMs) && durationMs >= 0 && durationMs <= most, `${durationMs}`)
    return outcome
  } finally {
    await sender.close()
  }
}

const outcome = { at: clock.now(), status: 200, error: undefined, response: "", retryAfterMs: undefined }

test("a message is posted with its headers, and the beginning of the response is kept", async () => {
  const received: unknown[] = []
  const sent = await send(async (request, response) => {
    const { method, url: path, headers } = request
    received.push(method, path, headers["webhook-id"], headers["content-type"], await text(request))
    response.write("ab\0")
    setImmediate(() => response.end("cd"))
  })
  assert.deepEqual(sent, { ...outcome, response: "ab\ufffdcd" })
  assert.deepEqual(received, ["POST", "/hook?a=1", "evt", "application/json", "{}"])
  const long = await send((_, response) => {
    response.write("a".repeat(4000))
    setImmediate(() => response.end("b".repeat(100_000)))
  })
  assert.equal(long.response, `${"a".repeat(4000)}${"b".repeat(96)}`)
})

test("a response is not waited for after its first 4,096 bytes, and its connection is closed", {
  timeout: 10_000,
}, async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  respond = (_, response) => {
    response.once("close", resolve)
    response.write("a".repeat(4096))
  }
  const sender = openWebhookSender(async () => ["127.0.0.1"], clock)
  const { response } = await sender.post({ url, headers: {}, body: "{}" }, patient)
  await closed
  await sender.close()
  assert.equal(response, "a".repeat(4096))
})

test("the headers of a response have at most 16 KiB", async () => {
  const withHeader = (length: number) =>
    send((_, response) => void response.writeHead(200, { "x-long": "a".repeat(length) }).end())
  assert.deepEqual(await withHeader(15_000), outcome)
  const { error } = await withHeader(17_000)
  assert.equal(error, "malformed-response")
})

test("a response has its status, its kind of failure, and how long to wait; a redirect is not followed", async () => {
  const respondWith =
    (status: number, headers = {}) =>
    (_: IncomingMessage, response: ServerResponse) =>
      void response.writeHead(status, headers).end()
  assert.deepEqual(await send(respondWith(503, { "retry-after": "7" })), {
    ...outcome,
    status: 503,
    error: "status",
    retryAfterMs: 7000,
  })
  assert.deepEqual(await send(respondWith(302, { location: "/elsewhere" })), {
    ...outcome,
    status: 302,
    error: "redirect",
  })
})

test("what was received before the connection broke is kept", async () => {
  const broken = await send((_, response) => {
    response.writeHead(200, { "content-length": "100" })
    response.write("beginning")
    setTimeout(() => response.destroy(), 20)
  })
  assert.deepEqual(broken, { ...outcome, response: "beginning" })
})

test("a request without a response has the kind of its failure", async () => {
  const failed = { ...outcome, status: undefined, response: undefined }
  const silent = () => undefined
  assert.deepEqual(await send(silent, { timeouts: { connectMs: 1000, attemptMs: 20 } }), {
    ...failed,
    error: "timeout",
  })
  assert.deepEqual(await send((request) => void request.socket.destroy()), { ...failed, error: "reset" })
  const closed = { message: { url: "http://127.0.0.1:1/" } }
  assert.deepEqual(await send(silent, closed), { ...failed, error: "connect" })
  const refused = openWebhookSender(() => Promise.reject(new RefusedAddress("no")), clock)
  const { error } = await refused.post({ url, headers: {}, body: "{}" }, patient)
  assert.equal(error, "refused-address")
  await refused.close()
})

test("an attempt that its signal aborts rejects with the reason", async () => {
  const ending = new AbortController()
  const reason = new Error("the service ends")
  const sending = send(() => ending.abort(reason), { signal: ending.signal })
  await assert.rejects(sending, reason)
  await openWebhookSender(async () => [], clock).close()
})
