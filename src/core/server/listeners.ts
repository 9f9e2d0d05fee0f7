// Decision: docs/decisions/http.md#sixty-four-sockets-listen-on-one-port

import { once } from "node:events"
import type { Server as HttpServer } from "node:http"
import { type AddressInfo, createServer, type Server } from "node:net"

/** More than one socket needs SO_REUSEPORT with a fair distribution (socket(7)). */
const socketsPerPort = process.platform === "linux" ? 64 : 1

/** The sockets that listen on one port and pass their connections to one HTTP server. */
export class Listeners {
  readonly #servers: readonly Server[]

  constructor(server: HttpServer) {
    const accept = () => createServer(options, (socket) => server.emit("connection", socket))
    this.#servers = [server, ...Array.from({ length: socketsPerPort - 1 }, accept)]
  }

  /** Resolves with the address and port. Rejects with the error of the socket, such as EADDRINUSE. */
  async listen(host: string, port: number): Promise<AddressInfo> {
    const reusePort = this.#servers.length > 1
    if (reusePort && port !== 0) await requireUnused(host, port)
    const [first, ...others] = this.#servers as [Server, ...Server[]]
    const found = await listenAt(first, { host, port, reusePort })
    const same = { host: found.address, port: found.port, reusePort }
    try {
      await Promise.all(others.map((server) => listenAt(server, same)))
    } catch (error) {
      this.#stopListening()
      throw error
    }
    return found
  }

  /** Accepts no further connections; resolves once the last one has closed. */
  async close(): Promise<void> {
    const closed = this.#servers.map((server) => once(server, "close"))
    this.#stopListening()
    await Promise.all(closed)
  }

  #stopListening(): void {
    for (const server of this.#servers) server.close()
  }
}

/** As node:http creates its own socket. */
const options = { allowHalfOpen: true, noDelay: true }

/** SO_REUSEPORT would let a second process of the same user share the port of a running one. */
async function requireUnused(host: string, port: number): Promise<void> {
  const probe = createServer()
  await listenAt(probe, { host, port, reusePort: false })
  await probe[Symbol.asyncDispose]()
}

async function listenAt(server: Server, at: { host: string; port: number; reusePort: boolean }): Promise<AddressInfo> {
  server.listen(at)
  await once(server, "listening")
  return server.address() as AddressInfo
}
