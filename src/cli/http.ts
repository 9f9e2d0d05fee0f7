import http from "node:http"
import https from "node:https"
import type { Send } from "../client/client.ts"

/** The longest a service may be silent: a whole list of users is registered, each password hashed with care. */
const silenceMaxMs = 120_000

/**
 * What the typed client needs of `fetch`, over `node:http`: a fraction of the work for a request, connections that are
 * kept, and no redirect is followed, so that a credential goes nowhere but to the address it was given for.
 */
export function sender(): Send {
  const plain = new http.Agent({ keepAlive: true })
  const secure = new https.Agent({ keepAlive: true })

  return (address, { method, headers, body }) =>
    new Promise((resolve, reject) => {
      const isSecure = address.startsWith("https:")
      const options = { method, headers, agent: isSecure ? secure : plain, timeout: silenceMaxMs }
      const request = (isSecure ? https : http).request(address, options, (response) => {
        const parts: Uint8Array[] = []
        response.on("data", (part: Uint8Array) => parts.push(part))
        response.on("error", failed)
        response.on("end", () => {
          const { statusCode: status = 0, statusMessage: statusText = "" } = response
          resolve({
            status,
            statusText,
            ok: status >= 200 && status < 300,
            url: address,
            headers: headersOf(response.headers),
            text: async () => Buffer.concat(parts).toString(),
          })
        })
      })
      const failed = (cause: Error) =>
        reject(cause instanceof DOMException ? cause : new TypeError("fetch failed", { cause }))
      request.on("error", failed)
      request.on("timeout", () => request.destroy(new DOMException("silent for too long", "TimeoutError")))
      request.end(body)
    })
}

const headersOf = (headers: http.IncomingHttpHeaders): Headers =>
  new Headers(Object.entries(headers).map(([name, value]): [string, string] => [name, [value].flat().join(", ")]))
