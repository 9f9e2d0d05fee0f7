import assert from "node:assert/strict"
import { once } from "node:events"
import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs"
import { createConnection, createServer, Server, Socket } from "node:net"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { test } from "node:test"
import { temporaryDirectory } from "../../test/harness/directory.ts"
import { turns } from "../../test/harness/turns.ts"
import { until } from "../../test/harness/until.ts"
import type { AdminRequest, AdminResponse } from "../domain/admin/contract.ts"
import { askRunning, listenForAdmin } from "./socket.ts"

const ask: AdminRequest = { action: "confirm-clock" }

/** A service with this directory; records its requests and warnings. */
async function listen(
  path: string,
  respond: (request: AdminRequest) => Promise<AdminResponse> = async () => ({ secrets: 1 }),
) {
  const requests: AdminRequest[] = []
  const warnings: string[] = []
  const log = { warn: (_: object, message: string) => void warnings.push(message) }
  const close = await listenForAdmin(
    path,
    (request) => {
      requests.push(request)
      return respond(request)
    },
    log,
  )
  return { requests, warnings, close, file: join(path, "admin.sock") }
}

/** Sends bytes as they are; returns the response. */
async function send(file: string, bytes: string): Promise<string> {
  const socket = createConnection(file)
  socket.end(bytes)
  return text(socket)
}

test("a request gets its response over a socket that only its owner can open", async () => {
  using directory = temporaryDirectory()
  assert.equal(await askRunning(directory.path, ask), undefined, "no service has been here")
  writeFileSync(join(directory.path, "admin.sock"), "what an ended process left")
  const { requests, close, file } = await listen(directory.path)
  assert.equal((statSync(file).mode & 0o777).toString(8), "600")
  assert.deepEqual(await askRunning(directory.path, ask), { secrets: 1 })
  assert.deepEqual(requests, [ask])
  assert.equal(await send(file, `${JSON.stringify(ask)}\n`), '{"secrets":1}\n')
  await close()
  assert.equal(await askRunning(directory.path, ask), undefined)
})

test("what fails, and what is no request, has an error as its response", async () => {
  using directory = temporaryDirectory()
  const { requests, close, file } = await listen(directory.path, () => Promise.reject(new Error("no")))
  assert.deepEqual(await askRunning(directory.path, ask), { error: "no" })
  assert.match(await send(file, "text\n"), /^\{"error":"Unexpected token/)
  const incomplete = '{"error":"the connection ended before a complete line was received"}\n'
  assert.equal(await send(file, "{}"), incomplete)
  assert.equal(await send(file, ""), incomplete)
  assert.equal(await send(file, "x".repeat(4097)), incomplete)
  assert.match(await send(file, `"${"x".repeat(4093)}"\n`), /"no"/)
  assert.equal(requests.length, 2)
  await close()
})

test("a request has 4,096 bytes at most, in several pieces too", async () => {
  using directory = temporaryDirectory()
  const { close, file } = await listen(directory.path)
  const inPieces = async (length: number) => {
    const socket = createConnection(file)
    socket.write(`"${"x".repeat(length - 1)}`)
    // The service reads what it has received so far.
    await turns()
    socket.end('"\n')
    return text(socket)
  }
  assert.equal(await inPieces(4096), '{"secrets":1}\n')
  assert.match(await inPieces(4097), /"error":"the connection ended before/)
  await close()
})

test("the latest of two services with the same directory takes over, and a closed one ends its connections", async () => {
  using directory = temporaryDirectory()
  const [one, other] = [await listen(directory.path), await listen(directory.path)]
  await askRunning(directory.path, ask)
  assert.deepEqual([one.requests.length, other.requests.length], [0, 1])
  const socket = createConnection(other.file)
  await once(socket, "connect")
  await Promise.all([one.close(), other.close(), once(socket, "close")])
})

test("a client has ten seconds for its request, and the response may take longer", async (t) => {
  using directory = temporaryDirectory()
  const timeouts: [Socket, number][] = []
  const { setTimeout } = Socket.prototype
  t.mock.method(Socket.prototype, "setTimeout", function (this: Socket, ms: number, ended?: () => void) {
    timeouts.push([this, ms])
    return setTimeout.call(this, ms, ended)
  })
  const { close, file } = await listen(directory.path)
  await askRunning(directory.path, ask)
  assert.deepEqual(
    timeouts.map(([, ms]) => ms),
    [10_000, 0],
  )
  const silent = createConnection(file)
  await once(silent, "connect")
  await until(() => timeouts.length === 3, "the connection does not arrive")
  timeouts[2]?.[0].emit("timeout")
  await once(silent.resume(), "close")
  await close()
})

test("a connection whose response never ends is closed", async () => {
  using directory = temporaryDirectory()
  const server = createServer((socket) => socket.write("x".repeat(5000)))
  await once(server.listen(join(directory.path, "admin.sock")), "listening")
  const connected = once(server, "connection")
  await assert.rejects(askRunning(directory.path, ask), /^Error: the connection ended before a complete line/)
  const [socket] = (await connected) as [Socket]
  await Promise.all([once(socket.resume(), "close"), once(server.close(), "close")])
})

test("a service is closed once its connections are", async (t) => {
  using directory = temporaryDirectory()
  const events: string[] = []
  const { listen: start } = Server.prototype
  t.mock.method(Server.prototype, "listen", function (this: Server, path: string) {
    return start.call(this, path).on("close", () => void events.push("all connections are closed"))
  })
  const { close, file } = await listen(directory.path)
  const socket = createConnection(file)
  await once(socket, "connect")
  await close()
  events.push("closed")
  assert.deepEqual(events, ["all connections are closed", "closed"])
  socket.destroy()
})

test("a listening service keeps no process alive", async () => {
  using directory = temporaryDirectory()
  const handles = () => process.getActiveResourcesInfo().filter((resource) => resource.startsWith("Pipe")).length
  const before = handles()
  const { close } = await listen(directory.path)
  assert.equal(handles(), before)
  await close()
})

test("a client that leaves before its response harms nothing", async () => {
  using directory = temporaryDirectory()
  const { promise, resolve } = Promise.withResolvers<AdminResponse>()
  const { requests, close, file } = await listen(directory.path, () => promise)
  const socket = createConnection(file)
  socket.write(`${JSON.stringify(ask)}\n`)
  await until(() => requests.length === 1, "the request does not arrive")
  socket.destroy()
  await once(socket, "close")
  resolve({ secrets: 1 })
  assert.deepEqual(await askRunning(directory.path, ask), { secrets: 1 })
  await close()
})

test("a directory in which no socket can be made is a warning", async () => {
  using directory = temporaryDirectory()
  const path = join(directory.path, "n".repeat(100))
  mkdirSync(path)
  const { warnings, close } = await listen(path)
  assert.deepEqual(warnings, ["no socket for the commands of this machine: stop the service to use them"])
  assert.equal(existsSync(join(path, "admin.sock")), false)
  await close()
})
