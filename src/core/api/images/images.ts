import { Readable } from "node:stream"
import { type ImagePart, imageParts, imagesPath } from "../../domain/images/contract.ts"
import type { BlobStore } from "../../domain/ports/blobs.ts"
import type { Store } from "../../domain/ports/store.ts"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Exchange } from "../../server/exchange/exchange.ts"
import type { Router } from "../../server/exchange/router.ts"
import { isUnchanged } from "../../server/reading/conditional-requests.ts"
import { rangeOf } from "../../server/writing/byte-range.ts"

/** The address is a hash of the content, so the content never changes. */
const cacheControl = "public, max-age=31536000, immutable"
/** Shorter than the validity of the signed address. */
const redirectCacheControl = "public, max-age=60"

/** Serves images without authentication. Their bytes come from users, so browsers may only display them. */
export function addImageRoutes(router: Router, store: Store, blobs: BlobStore): void {
  const handle = (exchange: Exchange) => respondWithImage(exchange, store, blobs)
  for (const path of [`${imagesPath}/:sha256`, `${imagesPath}/:sha256/:part`])
    router.add(["GET"], path, { admission: "files", handle })
}

async function respondWithImage(exchange: Exchange, store: Store, blobs: BlobStore): Promise<HttpResponse> {
  const { sha256, part } = storedPartOf(exchange)
  const image = await store.images.read(sha256)
  if (!image) throw absent(exchange)
  const bytes = image.bytes[part]
  const etag = `"${sha256}${part === "original" ? "" : `-${part}`}"`
  const headers = [
    "cache-control",
    cacheControl,
    "content-security-policy",
    "sandbox; default-src 'none'",
    "cross-origin-resource-policy",
    "cross-origin",
    "accept-ranges",
    "bytes",
  ]
  const { headers: asked } = exchange.request
  if (isUnchanged(asked, etag)) return { status: 304, headers: [...headers, "etag", etag], body: undefined }

  const type = part === "original" ? image.type : "image/webp"
  // Not for HEAD: an address signed for one method is refused for another.
  if (exchange.method === "GET") {
    const location = await blobs.address(image.blob, part, { type, cacheControl })
    if (location !== undefined)
      return { status: 307, headers: [...headers.with(1, redirectCacheControl), "location", location], body: undefined }
  }

  const range = rangeOf(asked, bytes, etag)
  if (range === "none")
    throw new Problem("range-not-satisfiable", `There are ${bytes} bytes, and the requested range starts after them`, {
      headers: { "content-range": `bytes */${bytes}` },
    })
  const { start, end } = range ?? { start: 0, end: bytes - 1 }
  const body = exchange.method === "HEAD" ? Readable.from([]) : await blobs.read(image.blob, part, { start, end })
  if (!body) throw absent(exchange)
  headers.push("etag", etag, "content-type", type)
  headers.push("content-length", String(end - start + 1))
  if (range) headers.push("content-range", `bytes ${start}-${end}/${bytes}`)
  return { status: range ? 206 : 200, headers, body: toStream(body) }
}

/** A stream stays itself: its iterator would close the file only after the first read, which a disconnect can precede. */
const toStream = (bytes: AsyncIterable<Uint8Array>): Readable =>
  bytes instanceof Readable ? bytes : Readable.from(bytes, { objectMode: false })

function storedPartOf(exchange: Exchange): { sha256: string; part: ImagePart } {
  const { sha256 = "", part = "original" } = exchange.params as { sha256?: string; part?: ImagePart }
  const isNamed = exchange.path.endsWith("/original")
  if (!/^[0-9a-f]{64}$/.test(sha256) || !imageParts.includes(part) || isNamed) throw absent(exchange)
  return { sha256, part }
}

const absent = ({ path }: Exchange): Problem => new Problem("not-found", `There is no image at ${path}`)
