import { once } from "node:events"
import { connect, createServer, type Socket } from "node:net"
import { setTimeout as after } from "node:timers/promises"

/** A TCP proxy that loses, delays or abandons traffic as the test decides. */
export async function lossyProxy(port: number) {
  const sockets = new Set<Socket>()
  let held = new Map<Socket, Buffer[]>()
  const abandoned = new Set<Socket>()
  let isLosing = false
  let delayMs = 0

  const proxy = createServer((client) => {
    const server = connect(port, "127.0.0.1")
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on("error", () => undefined)
      socket.on("close", () => sockets.delete(socket))
    }
    client.on("data", (bytes: Buffer) => held.get(server)?.push(bytes) ?? server.write(bytes))
    let sent = Promise.resolve()
    server.on("data", (bytes) => {
      if (isLosing) return
      const due = delayMs === 0 ? undefined : after(delayMs)
      sent = sent.then(() => due).then(() => void client.write(bytes))
    })
    client.on("close", () => held.has(server) || server.destroy())
    server.on("close", () => abandoned.has(server) || client.destroy())
    opened.push(server)
  })
  let opened: Socket[] = []
  proxy.listen(0, "127.0.0.1")
  await once(proxy, "listening")

  return {
    port: (proxy.address() as { port: number }).port,
    /** Whether responses of the server are lost; requests still arrive. */
    lose(loses: boolean): void {
      isLosing = loses
    },
    /** Delays responses by so many milliseconds. */
    delay(ms: number): void {
      delayMs = ms
    },
    /** Closes all connections at both sides; later connections work. */
    cut(): void {
      for (const socket of sockets) socket.destroy()
    },
    /** Holds back requests on the open connections; later connections work. */
    hold(): void {
      for (const server of opened) held.set(server, [])
      opened = []
    },
    /** Sends the held requests to the server, even if their clients have disconnected. */
    release(): void {
      for (const [server, kept] of held) for (const bytes of kept) server.write(bytes)
      held = new Map()
    },
    /** Closes the open connections only at the server's side, which leaves them half open; later connections work. */
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
