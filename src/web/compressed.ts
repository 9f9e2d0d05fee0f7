import { promisify } from "node:util"
import { gzip } from "node:zlib"
import type { HttpResponse } from "../kernel/network/http-response.ts"

/** A text that is served compressed to whoever accepts gzip. */
export type Compressed = (acceptsGzip: boolean) => HttpResponse

/** Compresses a text once, to be served many times. */
export async function compress(contentType: string, cacheControl: string, text: string): Promise<Compressed> {
  const plain = Buffer.from(text)
  const zipped = await promisify(gzip)(plain)
  const headers = ["content-type", contentType, "cache-control", cacheControl, "vary", "Accept-Encoding"]
  return (acceptsGzip) =>
    acceptsGzip
      ? { status: 200, headers: [...headers, "content-encoding", "gzip"], body: zipped }
      : { status: 200, headers, body: plain }
}
