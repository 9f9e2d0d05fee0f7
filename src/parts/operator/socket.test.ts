import assert from "node:assert/strict"
import { once } from "node:events"
import { existsSync, mkdirSync } from "node:fs"
import { createConnection } from "node:net"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { test } from "node:test"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { turns } from "../../../test/harness/turns.ts"
import { until } from "../../../test/harness/until.ts"
import type { AdminRequest, AdminResponse } from "./contract.ts"
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
