import type { Readable } from "node:stream"

/** A complete HTTP response as data; the server adds the headers common to all responses. */
export type HttpResponse = {
  status: number
  /** Names and values alternate; names are lower case and may repeat. */
  headers: readonly string[]
  body: string | Uint8Array | Readable | undefined
  /** Whether the connection is closed when the client reads a stream too slowly. */
  isPaced?: boolean
}
