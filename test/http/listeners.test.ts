import assert from "node:assert/strict"
import { once } from "node:events"
import { createServer } from "node:http"
import { connect, createServer as createNetServer, type ListenOptions, Server, type Socket } from "node:net"
import { test } from "node:test"
import { setImmediate as nextTurn } from "node:timers/promises"
import { Listeners } from "../../src/core/server/listeners.ts"
import { startPetstore } from "../harness/petstore.ts"

const isLinux = process.platform === "linux"

/** An HTTP server that leaves every request unanswered, with the connections that it was given. */
async function serve() {
  const connections: Socket[] = []
  let requests = 0
  const server = createServer(() => requests++)
  server.on("connection", (socket: Socket) => connections.push(socket))
  const listeners = new Listeners(server)
  const { port } = await listeners.listen("127.0.0.1", 0)
  return {
    port,
    connections,
    requests: () => requests,
    listeners,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      if (server.listening) await listeners.close()
    },
  }
}

test("hundreds of connections that arrive at once do not wait a turn of the event loop each", {
  skip: !isLinux,
}, async () => {
  await using served = await serve()
  const clients = Array.from({ length: 300 }, () => connect(served.port, "127.0.0.1").on("error", () => {}))
  let turns = 0
  while (served.connections.length < clients.length) {
    await nextTurn()
    turns++
  }
  for (const client of clients) client.destroy()
  assert.ok(turns < 50, `300 connections took ${turns} turns`)
})

test("a port that another server listens on is refused, whether or not that one shares ports", async () => {
  await using served = await serve()
  await assert.rejects(new Listeners(createServer()).listen("127.0.0.1", served.port), { code: "EADDRINUSE" })
  const other = createNetServer().listen(0, "127.0.0.1")
  await once(other, "listening")
  const { port } = other.address() as { port: number }
  await assert.rejects(new Listeners(createServer()).listen("127.0.0.1", port), { code: "EADDRINUSE" })
  other.close()
})

test("when one of its sockets cannot listen, none does", { skip: !isLinux }, async (t) => {
  const { listen } = Server.prototype
  let sockets = 0
  t.mock.method(Server.prototype, "listen", function (this: Server, at: ListenOptions) {
    if (++sockets < 64) return listen.call(this, at)
    process.nextTick(() => this.emit("error", new Error("too many open files")))
    return this
  })
  const server = createServer()
  await assert.rejects(new Listeners(server).listen("127.0.0.1", 0), /too many open files/)
  assert.deepEqual([sockets, server.listening], [64, false])
})

test("two services with port 0 get ports of their own", async () => {
  await using first = await serve()
  await using second = await serve()
  assert.notEqual(first.port, second.port)
})

test("after the close no connection is accepted, and the close waits for running requests on every socket", async () => {
  await using served = await serve()
  const clients = Array.from({ length: 40 }, () => connect(served.port, "127.0.0.1"))
  for (const client of clients) client.write("GET / HTTP/1.1\r\nHost: petstore\r\n\r\n")
  while (served.requests() < clients.length) await nextTurn()
  let isClosed = false
  const closed = served.listeners.close().then(() => {
    isClosed = true
  })
  const late = connect(served.port, "127.0.0.1")
  assert.equal(((await once(late, "error")) as [NodeJS.ErrnoException])[0].code, "ECONNREFUSED")
  assert.equal(isClosed, false)
  for (const client of clients) client.destroy()
  await closed
})

test("the limit of all connections holds across the sockets that accept them", async () => {
  await using petstore = await startPetstore({ connectionLimits: { total: 5 } })
  const { hostname, port } = new URL(petstore.url)
  const clients = Array.from({ length: 60 }, () => connect(Number(port), hostname).on("error", () => {}))
  const ends = clients.map((client) => once(client, "close"))
  let ended = 0
  for (const end of ends) void end.then(() => ended++)
  while (ended < 55) await nextTurn()
  for (let n = 0; n < 100; n++) await nextTurn()
  assert.equal(ended, 55)
  for (const client of clients) client.destroy()
  await Promise.all(ends)
})
