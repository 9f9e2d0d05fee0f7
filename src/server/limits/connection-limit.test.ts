import assert from "node:assert/strict"
import { EventEmitter } from "node:events"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { test } from "node:test"
import { boundedRequests, pipelinedMax } from "./connection.ts"
import { type ConnectionLimits, connectionsMax, createConnections } from "./connection-limit.ts"

function socketFrom(remoteAddress: string | undefined) {
  const socket = Object.assign(new EventEmitter(), {
    remoteAddress,
    destroyed: false,
    writableLength: 0,
    pause() {},
    resume() {},
    destroy() {
      socket.destroyed = true
    },
  })
  return socket
}

/** A server with these limits, and how its connections are opened. */
function guarded(limits: Partial<ConnectionLimits>, sweep = (_: number) => {}) {
  const connections = createConnections()
  const server = new EventEmitter()
  let now = 0
  connections.guard(
    server as unknown as Server,
    { perAddress: 100, total: 100, exempt: [], now: () => now, ...limits },
    sweep,
  )
  return {
    connections,
    server,
    setNow: (at: number) => {
      now = at
    },
    open(address: string | undefined) {
      const socket = socketFrom(address)
      server.emit("connection", socket)
      return socket
    },
  }
}

test("connections beyond the limit of all are closed, until another one ends", () => {
  const { open, server } = guarded({ total: 2 })
  const [first, second, third] = ["192.0.2.1", "192.0.2.2", "192.0.2.3"].map(open)
  assert.deepEqual(
    [first, second, third].map((socket) => socket?.destroyed),
    [false, false, true],
  )
  third?.emit("close")
  assert.equal(open("192.0.2.4").destroyed, true)
  first?.emit("close")
  assert.deepEqual([open("192.0.2.5").destroyed, open("192.0.2.6").destroyed], [false, true])
  server.emit("close")
})

test("by default a process has 10,000 connections", () => {
  const { open, server } = guarded({ perAddress: 256, total: connectionsMax, exempt: ["192.0.2.1"] })
  const opened = Array.from({ length: 10_000 }, () => open("192.0.2.1"))
  assert.equal(opened.at(-1)?.destroyed, false)
  assert.equal(open("192.0.2.1").destroyed, true)
  server.emit("close")
})

test("the waiting requests of a closed connection do not count", () => {
  const { connections, server, open } = guarded({ total: 1_000, perAddress: 1_000 })
  const listener = connections.inOrder(() => undefined)
  const pipeline = (requests: number) => {
    const socket = open("192.0.2.1")
    for (let n = 0; n < requests; n++) {
      const response = Object.assign(new EventEmitter(), { writableFinished: false, headersSent: false })
      listener({ socket, complete: true } as unknown as IncomingMessage, response as unknown as ServerResponse)
    }
    return socket
  }
  for (const socket of Array.from({ length: 100 }, () => pipeline(pipelinedMax + 1))) socket.emit("close")
  const socket = pipeline(2)
  assert.equal(boundedRequests.shouldUpgradeCallback({ socket } as unknown as IncomingMessage), false)
  socket.emit("close")
  server.emit("close")
})

test("connections of one network beyond its limit are closed; others, and exempt ones, are not", () => {
  const { open, server } = guarded({ perAddress: 1, exempt: ["10.0.0.0/8"] })
  const first = open("2001:db8::1")
  const states = ["2001:db8::2", "2001:db8:0:1::1", "10.0.0.1", "10.0.0.1", "192.0.2.1", "192.0.2.1"].map(
    (address) => open(address).destroyed,
  )
  assert.deepEqual(states, [true, false, false, false, false, true])
  first.emit("close")
  assert.deepEqual([open("2001:db8::3").destroyed, open("2001:db8::3").destroyed], [false, true])
  assert.deepEqual([open(undefined).destroyed, open(undefined).destroyed], [false, false])
  server.emit("close")
})

for (const [limits, everyMs] of [
  [{}, 1_000],
  [{ sweepMs: 10 }, 10],
] as const)
  test(`connections are checked every ${everyMs} ms until the server has closed`, (t) => {
    t.mock.timers.enable({ apis: ["setInterval"] })
    const swept: number[] = []
    const { connections, server, setNow, open } = guarded(limits, (at) => swept.push(at))
    const listener = connections.inOrder(() => undefined)
    const socket = open("192.0.2.1")
    const response = Object.assign(new EventEmitter(), { headersSent: true, getHeader: () => undefined, socket })
    listener({ socket, complete: true } as unknown as IncomingMessage, response as unknown as ServerResponse)
    t.mock.timers.tick(everyMs - 1)
    assert.deepEqual(swept, [])
    for (const at of [1, 30_001, 30_002]) {
      assert.equal(socket.destroyed, false)
      setNow(at)
      t.mock.timers.tick(at === 1 ? 1 : everyMs)
    }
    assert.deepEqual([swept, socket.destroyed], [[1, 30_001, 30_002], true])
    server.emit("close")
    t.mock.timers.tick(5_000)
    assert.equal(swept.length, 3)
  })

test("a stream is not unread while nothing waits", (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] })
  const { connections, setNow, open } = guarded({})
  const listener = connections.inOrder(() => undefined)
  const socket = open("192.0.2.1")
  const response = Object.assign(new EventEmitter(), { headersSent: true, getHeader: () => undefined, socket })
  const asked = { socket, complete: true } as unknown as IncomingMessage
  listener(asked, response as unknown as ServerResponse)
  connections.expectStream(response as unknown as ServerResponse)
  connections.expectStream({ socket: null } as ServerResponse)
  for (const at of [1, 40_000]) {
    setNow(at)
    t.mock.timers.tick(1_000)
  }
  assert.equal(socket.destroyed, false)
})

test("requests of one connection are handled in order, those of others beside them", async () => {
  const { connections, server, open } = guarded({})
  const handled: number[] = []
  const listener = connections.inOrder((request) => handled.push((request as unknown as { n: number }).n))
  const [first, second] = [open("192.0.2.1"), open("192.0.2.1")]
  const take = (n: number, socket: object) => {
    const response = Object.assign(new EventEmitter(), { writableFinished: false, headersSent: false })
    listener({ n, socket, complete: true } as unknown as IncomingMessage, response as unknown as ServerResponse)
    return response
  }
  const response = take(1, first)
  take(2, first)
  take(3, second)
  assert.deepEqual(handled, [1, 3])
  let isResponded = false
  const responded = connections.whenResponded(first as unknown as Socket).then(() => {
    isResponded = true
  })
  await new Promise(setImmediate)
  assert.equal(isResponded, false)
  assert.equal(await connections.whenResponded(socketFrom("192.0.2.1") as unknown as Socket), undefined)
  response.writableFinished = true
  response.emit("close")
  assert.deepEqual(handled, [1, 3, 2])
  first.destroyed = true
  first.emit("close")
  assert.equal(await connections.whenResponded(first as unknown as Socket), undefined)
  void responded
  server.emit("close")
})
