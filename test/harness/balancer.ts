import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"

/**
 * A load balancer on a free port of 127.0.0.1. Each request goes to the next replica, or to the one after it when that replica
 * refuses the connection. When a replica dies during a request, the outcome is unknown: the response is 503 with `Retry-After`.
 */
export async function startBalancer(targets: () => readonly string[]) {
  const agent = new Agent({ keepAlive: true })
  let turn = 0

  async function forward(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await buffer(incoming)
    const replicas = targets()
    const first = turn++
    for (let n = 0; n < replicas.length; n++) {
      const target = replicas[(first + n) % replicas.length] as string
      const reached = await pass(agent, target, incoming, body, outgoing)
      if (reached) return
    }
    refuse(outgoing)
  }

  // Clients keep connections as long as the replicas' `Keep-Alive` says, which is passed on; so the balancer closes none.
  const server = createServer(
    { keepAliveTimeout: 0 },
    (incoming, outgoing) => void forward(incoming, outgoing).catch(() => outgoing.destroy()),
  )
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      agent.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Resolves with false when the replica refuses the connection. */
function pass(
  agent: Agent,
  target: string,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
  to: ServerResponse,
) {
  return new Promise<boolean>((resolve) => {
    const onward = request(target + url, { agent, method: method as string, headers }, (response) => {
      to.writeHead(response.statusCode as number, response.headers)
      response.pipe(to)
      response.once("error", () => to.destroy())
      resolve(true)
    })
    onward.once("error", ({ code }: NodeJS.ErrnoException) => {
      if (code === "ECONNREFUSED") return resolve(false)
      if (to.headersSent) to.destroy()
      else refuse(to)
      resolve(true)
    })
    onward.end(body)
  })
}

const refuse = (response: ServerResponse) => void response.writeHead(503, { "retry-after": "1" }).end()
