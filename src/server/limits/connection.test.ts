import assert from "node:assert/strict"
import { EventEmitter } from "node:events"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { test } from "node:test"
import { boundedRequests, ClientConnection, pipelinedMax } from "./connection.ts"

/** A response that the test ends. */
class FakeResponse extends EventEmitter {
  writableFinished = false
  headersSent = false
  length: number | undefined
  getHeader = (name: string) => (name === "content-length" ? this.length : undefined)
  start(length?: number) {
    this.headersSent = true
    this.length = length
  }
  end() {
    this.writableFinished = true
    this.emit("close")
  }
}

/** A connection, what it has started to handle, and what happened to its socket. */
function connectionOf() {
  const socket = Object.assign(new EventEmitter(), {
    destroyed: false,
    writableLength: 0,
    isPaused: false,
    pause() {
      socket.isPaused = true
    },
    resume() {
      socket.isPaused = false
    },
    destroy() {
      socket.destroyed = true
    },
  })
  const started: object[] = []
  const connection = new ClientConnection(socket as unknown as Socket, (request) => started.push(request))
  const take = (isComplete = true) => {
    const request = { complete: isComplete, socket }
    const response = new FakeResponse()
    connection.take({ request: request as unknown as IncomingMessage, response: response as unknown as ServerResponse })
    return { request, response }
  }
  const isFull = () => boundedRequests.shouldUpgradeCallback({ socket } as unknown as IncomingMessage)
  return { socket, connection, started, take, isFull }
}

test("a request is handled immediately when the one before it has its response", () => {
  const { socket, started, take } = connectionOf()
  const first = take()
  first.response.end()
  const second = take()
  assert.deepEqual(started, [first.request, second.request])
  assert.deepEqual([socket.isPaused, first.response.listenerCount("close")], [false, 0])
})

test("pipelined requests are handled one after the other, and nothing is read meanwhile", () => {
  const { socket, started, take } = connectionOf()
  const [first, second, third] = [take(), take(), take()]
  assert.deepEqual([started, socket.isPaused], [[first.request], true])
  first.response.end()
  assert.deepEqual([started, socket.isPaused], [[first.request, second.request], true])
  second.response.end()
  assert.deepEqual([started, socket.isPaused], [[first.request, second.request, third.request], false])
  const fourth = take()
  assert.equal(socket.isPaused, true)
  third.response.end()
  assert.deepEqual([started.at(-1), socket.isPaused], [fourth.request, false])
})

test("requests behind one whose connection has closed are not handled", () => {
  const { socket, connection, started, take } = connectionOf()
  const first = take()
  take()
  socket.destroyed = true
  first.response.end()
  connection.forgetWaiting()
  assert.deepEqual(started, [first.request])
})

test("a connection is full with 100 waiting requests, until the next one is handled", () => {
  const { connection, take, isFull } = connectionOf()
  const { response } = take()
  for (let n = 1; n < pipelinedMax; n++) take()
  assert.equal(isFull(), false)
  take()
  assert.equal(isFull(), true)
  response.end()
  assert.equal(isFull(), false)
  connection.forgetWaiting()
})

test("all connections together have 10,000 waiting requests, and those of closed ones do not count", () => {
  const fill = (waiting: number) => {
    const filled = connectionOf()
    for (let n = 0; n <= waiting; n++) filled.take()
    return filled
  }
  const others = [fill(1), ...Array.from({ length: 99 }, () => fill(pipelinedMax))]
  const { connection, take, isFull } = fill(99)
  assert.equal(isFull(), false)
  others[0]?.take()
  assert.equal(others[0]?.isFull(), true)
  take()
  connection.forgetWaiting()
  const next = fill(98)
  assert.equal(next.isFull(), false)
  for (const { connection } of [next, ...others]) connection.forgetWaiting()
})

test("complete requests have their responses when the last one has closed", async () => {
  const { connection, take } = connectionOf()
  assert.equal(await connection.whenResponded(), undefined)
  const [first, second] = [take(), take()]
  let isOver = false
  const responded = connection.whenResponded().then((response) => {
    isOver = true
    return response
  })
  for (const { response } of [first, second]) {
    await new Promise(setImmediate)
    assert.equal(isOver, false)
    response.end()
  }
  assert.equal(await responded, undefined)
})

test("an incomplete request has its response if that has started", async () => {
  const { connection, take } = connectionOf()
  const { response } = take(false)
  assert.equal(await connection.whenResponded(), undefined)
  response.start()
  assert.equal(await connection.whenResponded(), response as unknown as ServerResponse)
})

test("nothing is waited for on a connection that has closed", async () => {
  const { socket, connection, take } = connectionOf()
  const [first, second] = [take(), take()]
  const responded = connection.whenResponded()
  socket.destroyed = true
  first.response.emit("close")
  assert.equal(await responded, undefined)
  assert.equal(second.response.listenerCount("close"), 0)
  connection.forgetWaiting()
})

test("a response may stay unread for 30 seconds from when it was found, and a second for each 16 KiB", () => {
  for (const [length, unsent, allowedMs] of [
    [undefined, 0, 30_000],
    [16_384, 0, 31_000],
    [16_384, 32_768, 32_000],
    [32_768, 16_384, 32_000],
  ] as const) {
    const { socket, connection, take } = connectionOf()
    connection.destroyIfUnread(0)
    const { response } = take()
    connection.destroyIfUnread(1_000_000)
    response.start(length)
    socket.writableLength = unsent
    connection.destroyIfUnread(5)
    connection.destroyIfUnread(5 + allowedMs)
    assert.equal(socket.destroyed, false)
    connection.destroyIfUnread(6 + allowedMs)
    assert.equal(socket.destroyed, true)
  }
})

test("a response that is over is not unread, and the next one has its own time", () => {
  const { socket, connection, take } = connectionOf()
  for (const at of [0, 40_000, 80_000]) {
    const { response } = take()
    response.start()
    connection.destroyIfUnread(at)
    connection.destroyIfUnread(at + 30_000)
    response.end()
    connection.destroyIfUnread(at + 35_000)
  }
  assert.equal(socket.destroyed, false)
})

test("a stream is unread only while bytes wait, and not when the client has taken some", () => {
  const { socket, connection, take } = connectionOf()
  const { response } = take()
  response.start()
  connection.expectStream(response as unknown as ServerResponse)
  connection.destroyIfUnread(0)
  connection.destroyIfUnread(100_000)
  socket.writableLength = 1
  connection.destroyIfUnread(100_000)
  socket.writableLength = 0
  connection.destroyIfUnread(120_000)
  socket.writableLength = 1
  connection.destroyIfUnread(140_000)
  response.emit("drain")
  connection.destroyIfUnread(171_000)
  assert.equal(socket.destroyed, false)
  connection.destroyIfUnread(202_000)
  assert.equal(socket.destroyed, true)
})

test("the response after a stream is none", () => {
  const { socket, connection, take } = connectionOf()
  const first = take()
  connection.expectStream(first.response as unknown as ServerResponse)
  first.response.end()
  take().response.start()
  connection.destroyIfUnread(0)
  connection.destroyIfUnread(30_001)
  assert.equal(socket.destroyed, true)
})

test("a request reports itself as an upgrade on a full connection only", () => {
  const { socket, connection, take } = connectionOf()
  const request = new boundedRequests.IncomingMessage(socket as unknown as Socket)
  assert.equal(Boolean(request.upgrade), false)
  for (let n = 0; n <= pipelinedMax; n++) take()
  assert.equal(Boolean(request.upgrade), true)
  connection.forgetWaiting()
})
