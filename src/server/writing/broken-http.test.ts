import assert from "node:assert/strict"
import { EventEmitter } from "node:events"
import type { Server } from "node:http"
import { test } from "node:test"
import { respondToBrokenHttp, takeEveryRequest } from "./broken-http.ts"

const kindOf = (status: number, title: string) => ({ status, title, meaning: "" })
const about = {
  problems: {
    "header-too-large": kindOf(431, "Header too large"),
    "request-timeout": kindOf(408, "Request timeout"),
    "malformed-request": kindOf(400, "Malformed request"),
    "method-not-allowed": kindOf(405, "Method not allowed"),
  },
  publicUrl: () => "https://a.example",
}

function socketOf() {
  const state = { sent: undefined as string | undefined, isDestroyed: false }
  return {
    state,
    writable: true,
    end(text: string) {
      state.sent = text
    },
    destroy() {
      state.isDestroyed = true
    },
  }
}
type FakeSocket = ReturnType<typeof socketOf>

/** Responds to an error; the connection has sent the start of a response if `started`. */
function responder(started?: object) {
  const counted: string[] = []
  const respond = respondToBrokenHttp(
    about,
    async () => started,
    (code) => counted.push(code),
  )
  return {
    counted,
    respond: (code: string | undefined, socket: FakeSocket) => respond({ ...(code && { code }) }, socket as never),
  }
}

for (const [code, status, title, problem, detail] of [
  ["HPE_HEADER_OVERFLOW", 431, "Header too large", "header-too-large", "The headers are larger than 16 KiB together"],
  [
    "ERR_HTTP_REQUEST_TIMEOUT",
    408,
    "Request timeout",
    "request-timeout",
    "The request did not arrive completely in time",
  ],
  ["HPE_INVALID_METHOD", 400, "Malformed request", "malformed-request", "The request is not valid HTTP"],
] as const)
  test(`a message with the error ${code} gets the problem ${problem}, once`, async () => {
    const { counted, respond } = responder()
    const socket = socketOf()
    await respond(code, socket)
    await respond(code, socket)
    assert.deepEqual(counted, [problem])
    const [head = "", body = ""] = (socket.state.sent ?? "").split("\r\n\r\n")
    const { requestId, ...document } = JSON.parse(body)
    assert.deepEqual(head.split("\r\n"), [
      `HTTP/1.1 ${status} ${title}`,
      "Content-Type: application/problem+json",
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      "Connection: close",
    ])
    assert.deepEqual(document, {
      type: `https://a.example/problems/${problem}`,
      title,
      status,
      detail,
      instance: "",
      code: problem,
      message: detail,
    })
  })

test("a connection that was reset, or takes nothing more, gets no response", async () => {
  const { counted, respond } = responder()
  const [reset, ended] = [socketOf(), socketOf()]
  await respond("ECONNRESET", reset)
  ended.writable = false
  await respond("HPE_INVALID_METHOD", ended)
  assert.deepEqual([counted, reset.state.sent, ended.state.sent], [[], undefined, undefined])
})

test("a response that has started is only ended, and a connection that has closed meanwhile is left", async () => {
  const started = responder({})
  const socket = socketOf()
  await started.respond(undefined, socket)
  assert.deepEqual([started.counted, socket.state.sent], [["malformed-request"], ""])
  const closing = responder()
  const closed = socketOf()
  const responding = closing.respond(undefined, closed)
  closed.writable = false
  await responding
  assert.deepEqual([closing.counted, closed.state.sent], [["malformed-request"], undefined])
})

test("a client has two seconds to read the refusal", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] })
  const socket = socketOf()
  await responder().respond(undefined, socket)
  t.mock.timers.tick(1_999)
  assert.equal(socket.state.isDestroyed, false)
  t.mock.timers.tick(1)
  assert.equal(socket.state.isDestroyed, true)
})

test("any expectation is ignored, and CONNECT is refused", () => {
  const server = new EventEmitter()
  takeEveryRequest(server as unknown as Server, about)
  const handled: unknown[] = []
  server.on("request", (...of) => handled.push(...of))
  server.emit("checkExpectation", "request", "response")
  assert.deepEqual(handled, ["request", "response"])
  const socket = socketOf()
  server.emit("connect", "request", socket)
  assert.match(socket.state.sent ?? "", /^HTTP\/1\.1 405 .*"This is not a proxy: CONNECT is not supported"/s)
})
