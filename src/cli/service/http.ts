import http from "node:http"
import https from "node:https"
import type { Send } from "../../client/client.ts"

/** Response timeout: creating a list of users hashes every password. */
const responseTimeoutMs = 120_000

/**
 * The part of `fetch` that the client needs, over `node:http`: it costs less per request and follows no redirects, so a
 * credential is sent only to the address it is meant for.
 */
export function createHttpSender(timeout = responseTimeoutMs): Send {
  const plain = new http.Agent({ keepAlive: true })
  const secure = new https.Agent({ keepAlive: true })

  return (address, { method, headers: given, body, signal }) =>
    new Promise((resolve, reject) => {
      // Node sends the body of a DELETE without its length.
      const headers = body === undefined ? given : { ...given, "content-length": Buffer.byteLength(body) }
      const isSecure = address.startsWith("https:")
      const options = { method, headers, agent: isSecure ? secure : plain, timeout, signal }
      const request = (isSecure ? https : http).request(address, options, (response) => {
        const parts: Uint8Array[] = []
        response.on("data", (part: Uint8Array) => parts.push(part))
        response.on("error", fail)
        response.on("end", () => {
          const { statusCode: status = 0, statusMessage: statusText = "" } = response
          resolve({
            status,
            statusText,
            ok: status >= 200 && status < 300,
            headers: toHeaders(response.headers),
            text: async () => Buffer.concat(parts).toString(),
          })
        })
      })
      const fail = (cause: Error) => reject(signal?.aborted ? signal.reason : asFetchWould(cause))
      request.on("error", fail)
      request.on("timeout", () => request.destroy(new DOMException("no response within the timeout", "TimeoutError")))
      request.end(body)
    })
}

const asFetchWould = (cause: Error): Error =>
  cause instanceof DOMException ? cause : new TypeError("fetch fail", { cause })

const toHeaders = (headers: http.IncomingHttpHeaders): Headers =>
  new Headers(Object.entries(headers).map(([name, value]): [string, string] => [name, [value].flat().join(", ")]))
