import { type IncomingHttpHeaders, request } from "node:http"
import { text } from "node:stream/consumers"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"

/** A request to this service, with the path below its root. */
export type OwnRequest = {
  method: string
  path: string
  headers: Readonly<Record<string, string>>
  body: string | undefined
}

/** What came back; `timeout` when the client gave up, and `lost` when the connection ended without a whole response. */
export type OwnResponse = { status: number; headers: IncomingHttpHeaders; body: string } | "lost" | "timeout"

/** Longer than any delay that the sandbox can be told to make. */
const longestMs = 40_000

/** Sends a request to the address at which the service received this one, as a client would. */
export function sendToSelf(
  { request: { socket, headers } }: Exchange,
  wanted: OwnRequest,
  timeoutMs = longestMs,
): Promise<OwnResponse> {
  const { localAddress: host, localPort: port } = socket
  const { promise, resolve } = Promise.withResolvers<OwnResponse>()
  const signal = AbortSignal.timeout(timeoutMs)
  const fail = () => resolve(signal.aborted ? "timeout" : "lost")
  const sent = request(
    {
      host,
      port,
      method: wanted.method,
      path: wanted.path,
      headers: { ...wanted.headers, host: headers.host },
      agent: false,
      signal,
    },
    (response) => {
      const { statusCode: status = 0, headers: received } = response
      text(response).then((body) => resolve({ status, headers: received, body }), fail)
    },
  )
  sent.on("error", fail)
  sent.end(wanted.body)
  return promise
}
