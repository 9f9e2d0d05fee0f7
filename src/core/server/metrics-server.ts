import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { CannotStart } from "../kernel/cannot-start.ts"
import { createServer } from "./exchange/node-http.ts"

/** More than the few scrapers need. */
const connectionsMax = 32
const timeoutMs = 10_000

/** Serves `/metrics` on a port of its own, without a credential; does nothing without a port. Throws CannotStart when it cannot listen. */
export async function serveMetrics(
  host: string,
  port: number | undefined,
  read: () => Promise<{ type: string; text: string }>,
): Promise<({ port: number } & AsyncDisposable) | undefined> {
  if (port === undefined) return undefined
  const server = createServer({ requestTimeout: timeoutMs, headersTimeout: timeoutMs }, (request, response) => {
    const isAsked = request.url === "/metrics" && (request.method === "GET" || request.method === "HEAD")
    if (!isAsked) response.writeHead(404, { "Content-Type": "text/plain" }).end("Metrics are at /metrics\n")
    else
      read().then(
        ({ type, text }) => response.writeHead(200, { "Content-Type": type }).end(text),
        () => response.writeHead(500).end(),
      )
  })
  server.maxConnections = connectionsMax
  server.listen({ host, port })
  await once(server, "listening").catch((error: Error) => {
    throw new CannotStart(`PETSTORE_METRICS_PORT cannot be used: ${error.message}`)
  })

  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      const closed = server[Symbol.asyncDispose]()
      server.closeAllConnections()
      await closed
    },
  }
}
