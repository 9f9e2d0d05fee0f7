import { Readable } from "node:stream"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { type ImagePart, imageParts } from "../../domain/images/contract.ts"
import type { BlobStore, Store } from "../../domain/ports.ts"
import { Problem } from "../../kernel/problem.ts"
import { rangeOf } from "../messages/byte-range.ts"
import { isKnown } from "../messages/conditional-requests.ts"
import { pathOf } from "../messages/problem-response.ts"

/** What is at an address made from a hash never changes. */
const cacheControl = "public, max-age=31536000, immutable"

/** Serves the pictures, to everybody: their bytes come from strangers, so a browser may show them and nothing more. */
export function serveImages(app: FastifyInstance, store: Store, blobs: BlobStore): void {
  const answer = (request: FastifyRequest, reply: FastifyReply) => sendImage(request, reply, store, blobs)
  for (const url of ["/images/:sha256", "/images/:sha256/:part"])
    app.route({ method: ["GET", "HEAD"], url, handler: answer })
}

async function sendImage(request: FastifyRequest, reply: FastifyReply, store: Store, blobs: BlobStore) {
  const { sha256, part } = placeOf(request)
  const image = await store.images.read(sha256)
  if (!image) throw absent(request)
  const bytes = image.bytes[part]
  const etag = `"${sha256}${part === "original" ? "" : `-${part}`}"`
  reply.headers({
    etag,
    "cache-control": cacheControl,
    "content-security-policy": "sandbox; default-src 'none'",
    "cross-origin-resource-policy": "cross-origin",
    "accept-ranges": "bytes",
  })
  if (isKnown(request.headers["if-none-match"], etag)) return reply.code(304).send()

  const range = rangeOf(request.headers, bytes, etag)
  if (range === "none") {
    reply.header("content-range", `bytes */${bytes}`).removeHeader("etag")
    throw new Problem("range-not-satisfiable", `There are ${bytes} bytes, and the range asked for begins after them`)
  }
  const { start, end } = range ?? { start: 0, end: bytes - 1 }
  const body = request.method === "HEAD" ? undefined : await blobs.read(image.blob, part, { start, end })
  if (request.method === "GET" && !body) throw absent(request)
  reply.headers({ "content-type": part === "original" ? image.type : "image/webp", "content-length": end - start + 1 })
  if (range) reply.code(206).header("content-range", `bytes ${start}-${end}/${bytes}`)
  return reply.send(body && Readable.from(body, { objectMode: false }))
}

function placeOf(request: FastifyRequest): { sha256: string; part: ImagePart } {
  const { sha256, part = "original" } = request.params as { sha256: string; part?: ImagePart }
  const isNamed = pathOf(request.url).endsWith("/original")
  if (!/^[0-9a-f]{64}$/.test(sha256) || !imageParts.includes(part) || isNamed) throw absent(request)
  return { sha256, part }
}

const absent = (request: FastifyRequest): Problem =>
  new Problem("not-found", `There is no picture at ${pathOf(request.url)}`)
