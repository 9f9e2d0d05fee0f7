import http from "node:http"
import https from "node:https"

/** Longer than a service that has nothing to tell stays silent. */
const silenceMaxMs = 45_000

/** A response whose body arrives for as long as there is something to tell. */
export type Streaming = { status: number; headers: Headers; body: AsyncIterable<Uint8Array> }

/** Asks for a stream; rejects when the service cannot be reached, and ends when `signal` aborts. */
export const openStreaming = (
  address: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<Streaming> =>
  new Promise((resolve, reject) => {
    const { request: ask } = address.startsWith("https:") ? https : http
    const request = ask(address, { headers, signal, timeout: silenceMaxMs }, (response) => {
      const fields = Object.entries(response.headers).map(([name, value]): [string, string] => [
        name,
        [value].flat().join(", "),
      ])
      resolve({ status: response.statusCode ?? 0, headers: new Headers(fields), body: response })
    })
    request.on("timeout", () => request.destroy(new DOMException("nothing arrived for too long", "TimeoutError")))
    request.on("error", (cause) =>
      reject(cause instanceof DOMException ? cause : new TypeError("fetch fail", { cause })),
    )
    request.end()
  })
