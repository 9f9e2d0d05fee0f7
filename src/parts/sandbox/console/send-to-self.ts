import { request } from "node:http"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"

/** A request to this service, with the path below its root. */
export type OwnRequest = {
  method: string
  path: string
  headers: Readonly<Record<string, string>>
  body: string | undefined
}

/** Longer than any delay that the sandbox can be told to make. */
const timeoutMs = 40_000

/**
 * Sends a request to the address at which the service received this one, as a client would. Resolves when the response has ended, when
 * the connection was lost, or after 40 seconds.
 */
export function sendToSelf({ request: { socket, headers } }: Exchange, wanted: OwnRequest): Promise<void> {
  const { localAddress: host, localPort: port } = socket
  const { promise, resolve } = Promise.withResolvers<void>()
  const sent = request(
    {
      host,
      port,
      method: wanted.method,
      path: wanted.path,
      headers: { ...wanted.headers, host: headers.host },
      agent: false,
      signal: AbortSignal.timeout(timeoutMs),
    },
    (response) => response.resume().on("close", resolve),
  )
  sent.on("error", () => resolve())
  sent.end(wanted.body)
  return promise
}
