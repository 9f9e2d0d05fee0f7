import assert from "node:assert/strict"
import { once } from "node:events"
import { createServer } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { PassThrough, Readable } from "node:stream"
import { test } from "node:test"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { Exchange, type Mount } from "../exchange/exchange.ts"
import { unreadBudgetsFor } from "../limits/unread-budgets.ts"
import { unreadResponses } from "../limits/unread-responses.ts"
import { pieceBytes } from "./send-pieces.ts"
import { headWriter, responseWriter } from "./write-response.ts"

const mount: Mount = { prefix: "", logged: "", observe: () => {} }

test("a body is released even if its client has disconnected before the first byte", async () => {
  const unread = unreadResponses(unreadBudgetsFor(0), () => 0)
  const write = responseWriter({ isSecure: () => false, isDraining: () => false }, unread)
  const server = createServer()
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1")
  client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
  const [request, response] = await once(server, "request")
  client.destroy()
  await once(response, "close")

  const body = new Readable({ read: () => {} })
  write(new Exchange(request, response, "1", "127.0.0.1", mount), { status: 200, headers: [], body })
  await once(body, "close")
  assert.ok(body.destroyed)
  server.close()
})

const exposed =
  "ETag, Link, Total-Count, Retry-After, RateLimit, RateLimit-Policy, Idempotency-Replayed, Preference-Applied, X-Request-Id, Location, WWW-Authenticate, Deprecation, Sunset, X-Rate-Limit, X-Expires-After"

/** An exchange that the test makes up. */
const exchangeOf = (more: object) =>
  ({
    id: "r1",
    method: "GET",
    headers: [],
    mount,
    isReadableAnywhere: false,
    startedAt: 0,
    request: { headers: {}, complete: true, socket: { writableLength: 0 } },
    ...more,
  }) as unknown as Exchange & { request: { headers: object } }

/** The head that is written for an exchange. */
function headOf(headers: string[], more: object = {}, { isSecure = false, isDraining = false } = {}) {
  const written: unknown[] = []
  const response = { writeHead: (...head: unknown[]) => written.push(...head) }
  const exchange = exchangeOf({ response, ...more })
  headWriter({ isSecure: () => isSecure, isDraining: () => isDraining })(exchange, 201, headers)
  assert.deepEqual([written[0], exchange.status, exchange.head], [201, 201, headers])
  return written[1]
}

const common = ["X-Request-Id", "r1", "X-Content-Type-Options", "nosniff"]
const last = ["Referrer-Policy", "no-referrer"]

test("a head has its headers in their usual capitalisation, and those of every response", () => {
  assert.deepEqual(headOf(["etag", '"a"', "x-own", "x-own"], { headers: ["link", "b"] }), [
    ...common,
    ...["ETag", '"a"', "X-Own", "x-own", "Link", "b"],
    ...last,
  ])
  assert.deepEqual(headOf(["referrer-policy", "same-origin"]), [...common, "Referrer-Policy", "same-origin"])
})

test("a mount adds headers before the head is written", () => {
  const beforeHead = (exchange: Exchange) => void exchange.headers.push("link", "b")
  assert.deepEqual(headOf([], { headers: [], mount: { ...mount, beforeHead } }), [...common, "Link", "b", ...last])
})

test("pages of any origin may read a response, which says so in reply to Origin, or always where it is cacheable", () => {
  const readable = [...common, ...last, "Access-Control-Allow-Origin", "*", "Access-Control-Expose-Headers"]
  const withOrigin = { request: { headers: { origin: "https://a.example" } } }
  const operation = { route: { admission: "operation" } }
  const open = { isReadableAnywhere: true }
  assert.deepEqual(headOf([], { ...open, ...withOrigin, ...operation }), [...readable, exposed])
  assert.deepEqual(headOf([], { ...open, ...operation }), [...common, ...last])
  assert.deepEqual(headOf([], { ...open, route: { admission: "files" } }), [...readable, exposed])
  assert.deepEqual(headOf([], open), [...readable, exposed])
  assert.deepEqual(headOf([], withOrigin), [...common, ...last])
  const timings = { auth: 1, limits: undefined, operation: undefined }
  const timed = headOf([], { ...open, timings, startedAt: performance.now() }) as string[]
  assert.deepEqual(timed.slice(0, -2), [...readable, `${exposed}, Server-Timing`, "Timing-Allow-Origin", "*"])
  assert.match(timed.slice(-2).join(), /^Server-Timing,auth;dur=1, total;dur=[\d.]+$/)
})

test("https is required from then on only where the public address has it", () => {
  assert.deepEqual(headOf([], {}, { isSecure: true }), [
    ...common,
    ...last,
    ...["Strict-Transport-Security", "max-age=31536000"],
  ])
})

test("while the service stops, every response closes its connection", () => {
  assert.deepEqual(headOf([], {}, { isDraining: true }), [...common, ...last, "Connection", "close"])
  assert.deepEqual(headOf(["connection", "close"], {}, { isDraining: true }), [
    ...common,
    "Connection",
    "close",
    ...last,
  ])
})

/** Writes a response, and lists what is done with it. */
function written(response: HttpResponse, more: object = {}, unsent = 0) {
  const steps: string[] = []
  const fake = {
    writeHead: (_: number, head: string[]) => {
      const at = head.indexOf("Content-Length")
      steps.push(at < 0 ? "head" : `head ${head[at + 1]}`)
    },
    write: (bytes: Buffer) => steps.push(`write ${bytes.length}`) > 0,
    end: (body?: string | Uint8Array, encoding = "") =>
      void steps.push(`end ${body?.length ?? ""} ${encoding}`.trimEnd()),
    on: () => fake,
    off: () => fake,
  }
  const exchange = exchangeOf({
    response: fake,
    request: { headers: {}, complete: true, socket: { writableLength: unsent } },
    ...more,
  })
  const unread = {
    hold: (_: Exchange, bytes: number) => void steps.push(`hold ${bytes}`),
    follow: (_: Exchange, isPaced = false) => void steps.push(isPaced ? "follow paced" : "follow"),
  }
  responseWriter({ isSecure: () => false, isDraining: () => false }, unread)(exchange, response)
  return { steps, sent: exchange.sent }
}

const ok = (body: string | Uint8Array | undefined, status = 200) => ({ status, headers: [], body })

test("a body is written with its length in bytes, and remembered", () => {
  assert.deepEqual(written(ok("abc")), { steps: ["head 3", "end 3 latin1"], sent: "abc" })
  assert.deepEqual(written(ok("äbc")), { steps: ["head 4", "end 3 utf8"], sent: "äbc" })
  const bytes = Buffer.from("abc")
  assert.deepEqual(written(ok(bytes)), { steps: ["head 3", "end 3 latin1"], sent: bytes })
  assert.deepEqual(written(ok(undefined)), { steps: ["head 0", "end  utf8"], sent: undefined })
})

test("a response to HEAD has the length of the body, which is not remembered or held", () => {
  const body = "x".repeat(pieceBytes + 1)
  const { steps, sent } = written(ok(body), { method: "HEAD" })
  assert.deepEqual([steps, sent], [[`head ${body.length}`, `end ${body.length} latin1`], undefined])
})

test("204 and 304 have no body and no length", () => {
  for (const status of [204, 304]) assert.deepEqual(written(ok("abc", status)).steps, ["head", "end"])
})

test("a large text is held before its head is written, and sent in pieces at a minimum rate; bytes are shared", () => {
  const [most, large] = [pieceBytes, pieceBytes + 1]
  assert.deepEqual(written(ok("x".repeat(most))).steps, [`head ${most}`, `end ${most} latin1`])
  assert.deepEqual(written(ok("x".repeat(large))).steps, [
    ...[`hold ${large}`, `head ${large}`, "follow paced", `write ${pieceBytes}`, "end 1"],
  ])
  assert.deepEqual(written(ok(Buffer.alloc(large))).steps, [`head ${large}`, `end ${large} latin1`])
})

test("a text that the connection does not take at once is followed", () => {
  assert.deepEqual(written(ok("abc"), {}, 1).steps, ["head 3", "end 3 latin1", "follow"])
  assert.deepEqual(written(ok(Buffer.from("abc")), {}, 1).steps, ["head 3", "end 3 latin1"])
})

test("the rest of an unread body is dropped", () => {
  for (const [headers, isDropped] of [
    [{ "content-length": "5" }, true],
    [{}, false],
  ] as const) {
    const request = Object.assign(new PassThrough(), { headers, complete: false, socket: { writableLength: 0 } })
    written(ok("abc"), { request })
    assert.equal(request.listenerCount("data") > 0, isDropped)
    request.destroy()
  }
})

test("a stream is followed and sent as it comes; when it fails, the response ends with it", async () => {
  for (const error of [undefined, new Error("x")]) {
    const body = new Readable({ read: () => undefined })
    const followed: Exchange[] = []
    const response = Object.assign(new PassThrough(), { writeHead: () => undefined })
    const unread = { hold: () => undefined, follow: (exchange: Exchange) => void followed.push(exchange) }
    const exchange = exchangeOf({ response })
    responseWriter({ isSecure: () => false, isDraining: () => false }, unread)(exchange, ok(body as never))
    assert.deepEqual([followed, exchange.sent], [[exchange], undefined])
    body.push("abc")
    assert.equal(`${(await once(response, "data"))[0]}`, "abc")
    if (error) body.destroy(error)
    else body.push(null)
    await once(response, "close")
    assert.equal(response.writableFinished, error === undefined)
    assert.ok(body.destroyed)
  }
})
