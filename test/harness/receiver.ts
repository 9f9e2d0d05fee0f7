import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http"
import type { AddressInfo, Socket } from "node:net"

/** One request to a receiver. */
export type Received = { path: string; headers: IncomingHttpHeaders; body: string; at: number }

/** A real HTTP server that records requests and responds as set, 204 by default. */
export async function startReceiver() {
  const received: Received[] = []
  const waiting = new Set<() => void>()
  const sockets = new Set<Socket>()
  let respond: RequestListener = (_request, response) => void response.writeHead(204).end()

  const server = createServer((request, response) => {
    const at = performance.now()
    const chunks: Buffer[] = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8")
      received.push({ path: request.url ?? "", headers: request.headers, body, at })
      respond(request, response)
      for (const check of waiting) check()
    })
  })
  server.on("connection", (socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    respond(how: RequestListener) {
      respond = how
    },
    /** Resolves once the received requests satisfy `enough`; rejects, by default after a minute, with what was received. */
    until: (enough: (received: readonly Received[]) => boolean, withinMs = 60_000) =>
      new Promise<void>((resolve, reject) => {
        const check = () => {
          if (!enough(received)) return
          waiting.delete(check)
          clearTimeout(late)
          resolve()
        }
        const late = setTimeout(() => {
          waiting.delete(check)
          reject(new Error(`The receiver waited ${withinMs / 1000} s, and received ${JSON.stringify(received)}`))
        }, withinMs)
        waiting.add(check)
        check()
      }),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Responds with this status and no body. */
export const respondWith =
  (status: number, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, headers).end()
