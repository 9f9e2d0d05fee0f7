// Decision: docs/decisions/operator.md#the-running-service-does-the-work-of-petstore-admin

import { once } from "node:events"
import { chmodSync, rmSync } from "node:fs"
import { createConnection, createServer, type Socket } from "node:net"
import { join } from "node:path"
import { adminSocketName } from "../../core/disk/data-directory.ts"
import { modes } from "../../core/disk/private.ts"
import type { AdminRequest, AdminResponse } from "./contract.ts"

const requestBytesMax = 4096
const idleTimeoutMs = 10_000

/**
 * Accepts requests over a socket in the data directory. Only its owner can open it, who has access to the files anyway. Request
 * and response are one line of JSON each. Resolves with a function that stops it.
 */
export async function listenForAdmin(
  dataDir: string,
  administer: (request: AdminRequest) => Promise<AdminResponse>,
  log: { warn(facts: object, message: string): void },
): Promise<() => Promise<void>> {
  const path = socketOf(dataDir)
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket)
    socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket))
    socket.setTimeout(idleTimeoutMs, () => socket.destroy())
    void readLine(socket)
      .then((line) => {
        socket.setTimeout(0)
        return administer(JSON.parse(line))
      })
      .catch((error: Error): AdminResponse => ({ error: error.message }))
      .then((response) => socket.end(`${JSON.stringify(response)}\n`))
  })
  // An existing socket belongs to an ended process or to a replica with the same directory: the latest process takes over.
  rmSync(path, { force: true })
  try {
    await once(server.listen(path), "listening")
    chmodSync(path, modes.file)
  } catch (error) {
    log.warn({ err: error }, "no socket for the commands of this machine: stop the service to use them")
    return async () => {}
  }
  server.unref()

  return async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, "close")
  }
}

/** Sends a request to the service that uses this data directory; undefined when none is running. */
export async function askRunning(dataDir: string, request: AdminRequest): Promise<AdminResponse | undefined> {
  const socket = createConnection(socketOf(dataDir))
  try {
    await once(socket, "connect")
  } catch (error) {
    if (["ENOENT", "ECONNREFUSED"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined
    throw error
  }
  socket.write(`${JSON.stringify(request)}\n`)
  try {
    return JSON.parse(await readLine(socket))
  } finally {
    socket.destroy()
  }
}

const socketOf = (dataDir: string): string => join(dataDir, adminSocketName)

async function readLine(socket: Socket): Promise<string> {
  let text = ""
  for await (const chunk of socket.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    text += chunk
    if (text.includes("\n")) return text
    if (text.length > requestBytesMax) break
  }
  throw new Error("the connection ended before a complete line was received")
}
