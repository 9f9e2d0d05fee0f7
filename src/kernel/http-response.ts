import type { Readable } from "node:stream"

/** A response as data. The server adds what every response carries, and writes it. */
export type HttpResponse = {
  status: number
  /** Names in lower case and values, in turn. */
  headers: readonly string[]
  /** Text is sent as UTF-8. A stream needs `content-length` among the headers. */
  body: string | Uint8Array | Readable | undefined
}
