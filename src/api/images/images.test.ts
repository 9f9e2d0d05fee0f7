import assert from "node:assert/strict"
import { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import { test } from "node:test"
import { exchangeOf } from "../../../test/harness/exchange.ts"
import type { BlobStore } from "../../domain/ports/blobs.ts"
import type { Store } from "../../domain/ports/store.ts"
import { Problem } from "../../kernel/problem.ts"
import { createRouter } from "../../server/exchange/router.ts"
import { addImageRoutes } from "./images.ts"

const hash = "0123456789abcdef".repeat(4)
const bytes = { original: 10, "320": 4, "1280": 8 }

/** Requests for a stored image; `location` is where its file can be read instead. */
function serving({ location = undefined as string | undefined, isStored = true, isThere = true } = {}) {
  const router = createRouter()
  const store = {
    images: {
      read: async (sha256: string) =>
        sha256 === hash && isStored ? { type: "image/png", bytes, blob: "b" } : undefined,
    },
  }
  const addressed: unknown[] = []
  const blobs = {
    async address(...of: unknown[]) {
      addressed.push(of)
      return location
    },
    read: async (_: string, part: keyof typeof bytes, { start, end }: { start: number; end: number }) =>
      isThere ? Readable.from([Buffer.from("0123456789".slice(0, bytes[part]).slice(start, end + 1))]) : undefined,
  }
  addImageRoutes(router, store as unknown as Store, blobs as unknown as BlobStore)
  async function get(path: string, headers: Record<string, string> = {}, method = "GET") {
    const found = router.find(path)
    assert.ok(found && "resource" in found)
    const exchange = exchangeOf(path, { headers, method })
    exchange.params = found.params
    try {
      const response = (await found.resource.routes.get(method)?.handle(exchange)) ?? assert.fail("no response")
      const head = Object.fromEntries(
        response.headers.flatMap((name, n) => (n % 2 ? [] : [[name, response.headers[n + 1]]])),
      )
      return {
        status: response.status,
        head,
        body: response.body instanceof Readable ? await text(response.body) : response.body,
      }
    } catch (error) {
      if (error instanceof Problem) return { status: error.code, head: error.headers, body: error.detail }
      throw error
    }
  }
  return { get, addressed }
}

const common = {
  "cache-control": "public, max-age=31536000, immutable",
  "content-security-policy": "sandbox; default-src 'none'",
  "cross-origin-resource-policy": "cross-origin",
  "accept-ranges": "bytes",
}
const whole = { ...common, etag: `"${hash}"`, "content-type": "image/png", "content-length": "10" }

test("an image is served for ever, in each of its sizes", async () => {
  const { get } = serving()
  assert.deepEqual(await get(`/images/${hash}`), { status: 200, head: whole, body: "0123456789" })
  const small = { ...whole, etag: `"${hash}-320"`, "content-type": "image/webp", "content-length": "4" }
  assert.deepEqual(await get(`/images/${hash}/320`), { status: 200, head: small, body: "0123" })
  assert.deepEqual(await get(`/images/${hash}`, {}, "HEAD"), { status: 200, head: whole, body: "" })
})

test("no other path is one of an image", async () => {
  const { get } = serving()
  for (const path of [
    `/images/${hash}/original`,
    `/images/${hash}/640`,
    "/images/a",
    `/images/${hash.toUpperCase()}`,
    `/images/${"0".repeat(64)}`,
  ])
    assert.equal((await get(path)).status, "not-found", path)
  assert.equal((await serving({ isThere: false }).get(`/images/${hash}`)).status, "not-found")
})

test("a part is served, and one after the end refused", async () => {
  const { get } = serving()
  const part = await get(`/images/${hash}`, { range: "bytes=2-4" })
  assert.deepEqual(
    [part.status, part.body, part.head],
    [206, "234", { ...whole, "content-length": "3", "content-range": "bytes 2-4/10" }],
  )
  const after = await get(`/images/${hash}`, { range: "bytes=10-" })
  assert.deepEqual([after.status, after.head], ["range-not-satisfiable", { "content-range": "bytes */10" }])
})

test("a known image is not sent again, and one that must be another is refused", async () => {
  const { get } = serving()
  const etag = `"${hash}"`
  assert.deepEqual(await get(`/images/${hash}`, { "if-none-match": etag }), {
    status: 304,
    head: { ...common, etag },
    body: undefined,
  })
  assert.equal((await get(`/images/${hash}`, { "if-match": '"other"' })).status, "precondition-failed")
  assert.equal((await get(`/images/${hash}`, { "if-match": etag })).status, 200)
})

test("where its file has an address of its own, GET leads there for a minute", async () => {
  const { get, addressed } = serving({ location: "https://b.example/signed" })
  const moved = await get(`/images/${hash}/1280`)
  const head = { ...common, "cache-control": "public, max-age=60", location: "https://b.example/signed" }
  assert.deepEqual(moved, { status: 307, head, body: undefined })
  assert.deepEqual(addressed, [["b", "1280", { type: "image/webp", cacheControl: common["cache-control"] }]])
  assert.equal((await get(`/images/${hash}`, {}, "HEAD")).status, 200)
})
