import type { Readable } from "node:stream"

/** A complete HTTP response as plain data; whoever serves it adds the headers every response carries. */
export type HttpResponse = {
  status: number
  /** Names and values in turn; names are lower case, and one that repeats is sent once for each value. */
  headers: readonly string[]
  body: string | Uint8Array | Readable | undefined
}
