import { requireDescribedInV2 } from "./described.ts"

type Headers = Record<string, string>
type Service = { url: string }
type Body = NonNullable<RequestInit["body"]>

const key: Headers = { api_key: "special-key" }
const isEncoded = (body: unknown): body is Body =>
  [Uint8Array, FormData, URLSearchParams, ReadableStream].some((kind) => body instanceof kind)

/**
 * Sends handwritten requests to the paths below `base` and reads the responses. Strings, bytes and forms are sent as they are, other
 * bodies as JSON; the type of a string is JSON unless `headers` has another. Responses below `/v2` must be as its description says. The sandbox's key is sent unless a request has headers of
 * its own; all requests have the headers in `always`. `value` is undefined unless the response is JSON.
 */
export const sender =
  (service: Service, base = "/api/v3", always: Headers = {}) =>
  async (method: string, path: string, body?: unknown, headers = key) => {
    const type = body !== undefined && !isEncoded(body) && { "content-type": "application/json" }
    const response = await fetch(service.url + base + path, {
      method,
      headers: { ...type, ...always, ...headers },
      ...(body !== undefined && { body: isEncoded(body) || typeof body === "string" ? body : JSON.stringify(body) }),
    })
    await requireDescribedInV2({ method, path: base + path, response })
    const text = await response.text()
    const isJson = /^application\/(\S+\+)?json\b/.test(response.headers.get("content-type") ?? "")
    const value = isJson && text !== "" ? JSON.parse(text) : undefined
    return { status: response.status, text, value, headers: response.headers }
  }

/** A `sender` whose requests all carry the sandbox's key beside the headers they have. */
export const keySender = (service: Service, base?: string) => sender(service, base, key)

export type AskOptions = Omit<RequestInit, "headers"> & { headers?: Headers }

/** Sends requests with the sandbox's key, or the one in `headers`, as `fetch` does; resolves with the unread response. */
export const asker =
  (service: Service, base = "") =>
  async (path: string, { headers, ...init }: AskOptions = {}): Promise<Response> => {
    const type = typeof init.body === "string" && { "content-type": "application/json" }
    const response = await fetch(service.url + base + path, { ...init, headers: { ...key, ...type, ...headers } })
    await requireDescribedInV2({ method: init.method ?? "GET", path: base + path, response })
    return response
  }

/** The status of a response that is received to its end; zero when the connection was lost. */
export async function statusReceived(responding: Promise<Response>): Promise<number> {
  try {
    const response = await responding
    await response.text()
    return response.status
  } catch {
    return 0
  }
}
