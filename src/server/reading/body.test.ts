import assert from "node:assert/strict"
import { EventEmitter } from "node:events"
import type { IncomingHttpHeaders, IncomingMessage, Server } from "node:http"
import { PassThrough, Readable } from "node:stream"
import { test } from "node:test"
import { discardBody, isEmptyObject, limited, readNoBody, readRequestBody, receivedBytes, tooLarge } from "./body.ts"
import { takeContinueRequests } from "./expect-continue.ts"

const [json, chunked] = [{ "content-type": "application/json" }, { "transfer-encoding": "chunked" }]
const mebibyte = 1024 * 1024

/** A request whose body arrives in these pieces. */
const requestOf = (pieces: readonly (string | Buffer)[], headers: object = chunked) =>
  Object.assign(Readable.from(pieces.map((piece) => Buffer.from(piece))), { headers }) as unknown as IncomingMessage

const tooMany = {
  code: "body-too-large",
  detail: "The body is larger than the 4 KiB this operation reads",
  headers: { connection: "close" },
}
const incomplete = { code: "malformed-request", detail: "The body ended before it was complete" }

test("a body is read as a whole, up to its last permitted byte", async () => {
  assert.equal(`${await readRequestBody(requestOf(["abc"]), 4096)}`, "abc")
  assert.equal(`${await readRequestBody(requestOf(["abc", "d"]), 4096)}`, "abcd")
  assert.equal((await readRequestBody(requestOf([]), 4096)).length, 0)
  assert.equal((await readRequestBody(requestOf(["abc"], {}), 4096)).length, 0)
  assert.equal((await readRequestBody(requestOf(["x".repeat(4095), "y"]), 4096)).length, 4096)
  const exact = requestOf(["x".repeat(4096)], { "content-length": "4096" })
  assert.equal((await readRequestBody(exact, 4096)).length, 4096)
})

test("a body that is larger is refused, by its stated length before it arrives", async () => {
  await assert.rejects(async () => readRequestBody(requestOf(["x".repeat(4096), "y"]), 4096), tooMany)
  const announced = new PassThrough() as unknown as IncomingMessage
  announced.headers = { "content-length": "4097" }
  assert.throws(() => readRequestBody(announced, 4096), tooMany)
})

test("a body that ends early is refused", async () => {
  const request = new PassThrough()
  const read = readRequestBody(Object.assign(request, { headers: chunked }) as unknown as IncomingMessage, 4096)
  request.write("abc")
  request.destroy(new Error("aborted"))
  await assert.rejects(async () => read, incomplete)
})

test("an operation without a body takes an empty one or an empty JSON object, and refuses any other", async () => {
  const unwanted = {
    code: "unsupported-media-type",
    detail: "This operation takes no body. Send the request without one.",
  }
  for (const request of [
    requestOf(["a"], {}),
    requestOf([]),
    requestOf(["{}"]),
    requestOf(["{", "}"], { ...chunked, ...json }),
  ])
    assert.equal((await readNoBody(request)).length, 0)
  for (const request of [requestOf(["a"]), requestOf(["{}", " ".repeat(63)])])
    await assert.rejects(async () => readNoBody(request), unwanted)
})

test("an empty object may have white space, and its type is JSON or none", () => {
  const cases: [text: string, headers: IncomingHttpHeaders, isEmpty: boolean][] = [
    ["{}", {}, true],
    [" {\t\r\n} ", json, true],
    ["{}", { "content-type": "application/json; charset=utf-8" }, true],
    [`{}${" ".repeat(62)}`, {}, true],
    [`{}${" ".repeat(63)}`, {}, false],
    ["{}", { "content-type": "text/plain" }, false],
    ["{}x", {}, false],
    ["x{}", {}, false],
    ["", {}, false],
    ["[]", {}, false],
  ]
  for (const [text, headers, isEmpty] of cases) assert.equal(isEmptyObject(Buffer.from(text), headers), isEmpty, text)
})

const collect = async (bytes: AsyncIterable<Buffer>) => `${Buffer.concat(await Array.fromAsync(bytes))}`

test("bytes are received as they arrive; a consumer that stops leaves the connection open", async () => {
  assert.equal(await collect(receivedBytes(requestOf(["a", "b"]))), "ab")
  const request = requestOf(["a", "b"])
  for await (const bytes of receivedBytes(request)) {
    assert.equal(`${bytes}`, "a")
    break
  }
  assert.equal(request.destroyed, false)
})

test("bytes that end early are a malformed request, with or without an error", async () => {
  for (const error of [new Error("aborted"), undefined]) {
    const request = new PassThrough()
    const bytes = receivedBytes(Object.assign(request, { headers: {} }) as unknown as IncomingMessage)
    request.write("a")
    assert.equal(`${(await bytes.next()).value}`, "a")
    request.destroy(error)
    await assert.rejects(bytes.next(), incomplete)
  }
})

test("bytes are counted, and refused above their limit", async () => {
  const count = { bytes: 0 }
  assert.equal(await collect(limited(Readable.from([Buffer.from("ab"), Buffer.from("c")]), 3, count)), "abc")
  assert.equal(count.bytes, 3)
  await assert.rejects(collect(limited(Readable.from([Buffer.alloc(mebibyte), Buffer.from("c")]), mebibyte)), {
    code: "body-too-large",
    detail: "The file is larger than 1 MiB",
  })
  assert.equal(tooLarge(10 * mebibyte).detail, "The file is larger than 10 MiB")
})

test("a client that waits for 100 Continue is asked for a body before it is read", async () => {
  const server = new EventEmitter()
  takeContinueRequests(server as unknown as Server)
  let asked = 0
  const waiting = () => {
    const request = requestOf(["a"])
    server.emit("checkContinue", request, { writeContinue: () => asked++ })
    return request
  }
  await readRequestBody(waiting(), 4096)
  assert.equal(asked, 1)
  await collect(receivedBytes(waiting()))
  assert.equal(asked, 2)
  assert.throws(() => readRequestBody(Object.assign(waiting(), { headers: { "content-length": "4097" } }), 4096))
  assert.equal(asked, 2)
})

/** A request of which the test says what arrives. */
function arriving() {
  const request = Object.assign(new PassThrough({ highWaterMark: 64 * mebibyte }), { headers: {}, complete: false })
  return { request, discard: () => discardBody(request as unknown as IncomingMessage) }
}
const turn = () => new Promise(setImmediate)

test("an unwanted body is read up to 16 MiB", async () => {
  const { request, discard } = arriving()
  discard()
  request.write(Buffer.alloc(16 * mebibyte))
  await turn()
  assert.deepEqual([request.destroyed, request.readableLength], [false, 0])
  request.write("x")
  await turn()
  assert.equal(request.destroyed, true)
})

test("an unwanted body is read for five seconds", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] })
  const [slow, failed] = [arriving(), arriving()]
  for (const { discard } of [slow, failed]) discard()
  failed.request.destroy(new Error("reset"))
  await turn()
  t.mock.timers.tick(4_999)
  assert.equal(slow.request.destroyed, false)
  t.mock.timers.tick(1)
  assert.equal(slow.request.destroyed, true)
})

test("a body that is complete, or whose connection has ended, is not read", async () => {
  const [complete, ended] = [arriving(), arriving()]
  complete.request.complete = true
  complete.request.write("a")
  ended.request.destroy()
  for (const { request, discard } of [complete, ended]) {
    discard()
    assert.equal(request.listenerCount("data"), 0)
  }
  await turn()
})
