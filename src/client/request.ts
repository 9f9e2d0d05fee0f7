import { urlencodedType } from "../core/kernel/network/media-types.ts"
import { basePath, filledPath } from "../core/kernel/network/path.ts"

/** The URL of a request: `path` below `url` with its parameters. */
export function buildUrl(url: string, path: string, params: object = {}, query: object = {}): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const item of [value].flat()) if (item !== undefined) parameters.append(name, String(item))
  const filled = filledPath(path, params as Record<string, unknown>)
  return url + basePath + filled + (parameters.size > 0 ? `?${parameters}` : "")
}

/** Encodes a body: bytes unchanged, otherwise as the given type says, as a form or as JSON. */
export function encodeBody(body: unknown, type: string): string | Uint8Array<ArrayBuffer> {
  if (body instanceof Uint8Array) return body as Uint8Array<ArrayBuffer>
  return type === urlencodedType ? `${new URLSearchParams(body as Record<string, string>)}` : JSON.stringify(body)
}

/** A new idempotency key. Not `randomUUID`, which pages loaded without https lack. */
export const makeIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")
