import { once } from "node:events"
import { connect, createServer, type Socket } from "node:net"

/** A way to a server that is as bad as it is told to be. */
export async function lossyProxy(port: number) {
  const sockets = new Set<Socket>()
  let held = new Map<Socket, Buffer[]>()
  const abandoned = new Set<Socket>()
  let isLosing = false

  const proxy = createServer((client) => {
    const server = connect(port, "127.0.0.1")
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on("error", () => undefined)
      socket.on("close", () => sockets.delete(socket))
    }
    client.on("data", (bytes: Buffer) => held.get(server)?.push(bytes) ?? server.write(bytes))
    server.on("data", (bytes) => isLosing || client.write(bytes))
    client.on("close", () => held.has(server) || server.destroy())
    server.on("close", () => abandoned.has(server) || client.destroy())
    opened.push(server)
  })
  let opened: Socket[] = []
  proxy.listen(0, "127.0.0.1")
  await once(proxy, "listening")

  return {
    port: (proxy.address() as { port: number }).port,
    /** Whether what the server says gets lost; what is said to it still arrives. */
    lose(loses: boolean): void {
      isLosing = loses
    },
    /** Keeps what is said to the server over the connections there are; later ones work. */
    hold(): void {
      for (const server of opened) held.set(server, [])
      opened = []
    },
    /** Lets what was kept arrive at the server, though whoever said it may be gone. */
    release(): void {
      for (const [server, kept] of held) for (const bytes of kept) server.write(bytes)
      held = new Map()
    },
    /** Ends the connections there are at the server's side alone, so that they are half open; later ones work. */
    abandon(): void {
      for (const server of opened) {
        abandoned.add(server)
        server.destroy()
      }
      opened = []
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      proxy.close()
      await once(proxy, "close")
    },
  }
}
