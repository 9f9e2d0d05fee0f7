import { once } from "node:events"
import { chmodSync, rmSync } from "node:fs"
import { createConnection, createServer, type Socket } from "node:net"
import { join } from "node:path"
import type { Logger } from "pino"
import type { AdminAnswer, AdminRequest } from "../domain/admin/contract.ts"
import { adminSocketName } from "../storage/disk/data-directory.ts"
import { modes } from "../storage/disk/private.ts"

const requestBytesMax = 4096
const patienceMs = 10_000

/**
 * Takes requests from this machine, over a socket in the data directory that only its owner may open: whoever can read the
 * files may do what they tell anyway. A request is one line of JSON, and so is the answer. Resolves with how to stop.
 */
export async function listenForAdmin(
  dataDir: string,
  administer: (request: AdminRequest) => Promise<AdminAnswer>,
  log: Logger,
): Promise<() => Promise<void>> {
  const path = socketOf(dataDir)
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket)
    socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket))
    socket.setTimeout(patienceMs, () => socket.destroy())
    void readLine(socket)
      .then((line) => {
        socket.setTimeout(0)
        return administer(JSON.parse(line))
      })
      .catch((error: Error): AdminAnswer => ({ error: error.message }))
      .then((answer) => socket.end(`${JSON.stringify(answer)}\n`))
  })
  // One that is there is of a process that has ended, or of a replica in the same directory: the latest is asked.
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

/** Asks the service that uses this data directory; undefined when none is running. */
export async function askRunning(dataDir: string, request: AdminRequest): Promise<AdminAnswer | undefined> {
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
  throw new Error("the connection ended before a whole line came")
}
