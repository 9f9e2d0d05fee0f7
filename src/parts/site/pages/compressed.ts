import { promisify } from "node:util"
import { gzip } from "node:zlib"
import type { HttpResponse } from "../../../core/kernel/network/http-response.ts"

type Data = string | Uint8Array
export type Compressed = (acceptsGzip: boolean) => Promise<HttpResponse>

/** Generates and compresses data at the first request and serves it from memory afterwards. */
export function compressed(contentType: string, cacheControl: string, write: () => Data | Promise<Data>): Compressed {
  const headers = ["content-type", contentType, "cache-control", cacheControl, "vary", "Accept-Encoding"]
  let made: Promise<{ plain: Buffer; zipped: Buffer }> | undefined

  async function make() {
    const plain = Buffer.from(await write())
    return { plain, zipped: await promisify(gzip)(plain) }
  }

  return async (acceptsGzip) => {
    made ??= make()
    const { plain, zipped } = await made
    return acceptsGzip
      ? { status: 200, headers: [...headers, "content-encoding", "gzip"], body: zipped }
      : { status: 200, headers, body: plain }
  }
}
