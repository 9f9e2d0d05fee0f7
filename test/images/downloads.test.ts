import assert from "node:assert/strict"
import { readdirSync, readlinkSync } from "node:fs"
import { connect } from "node:net"
import { test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { rawConnection } from "../harness/raw-http.ts"
import { until } from "../harness/until.ts"
import { before, usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
let path: string
let whole: Buffer

before(async () => {
  const { value } = await petstore.as("special-key").getPetById({ params: { petId: 1 } })
  path = new URL(value.photoUrls[0] as string, petstore.url).pathname
  whole = Buffer.from(await (await get()).arrayBuffer())
})

const get = (headers: Record<string, string> = {}, where = path) => fetch(petstore.url + where, { headers })

test("an image may be cached forever and embedded anywhere, and cannot run scripts", async () => {
  const { headers, status } = await get()
  const said = Object.fromEntries(headers)
  assert.equal(status, 200)
  assert.equal(said["content-type"], "image/webp")
  assert.equal(said["content-length"], `${whole.length}`)
  assert.equal(said["cache-control"], "public, max-age=31536000, immutable")
  assert.equal(said["x-content-type-options"], "nosniff")
  assert.equal(said["content-security-policy"], "sandbox; default-src 'none'")
  assert.equal(said.etag, `"${path.split("/").at(-1)}"`)
})

test("HEAD returns the same headers without the bytes, and a known ETag is 304", async () => {
  const head = await fetch(petstore.url + path, { method: "HEAD" })
  assert.deepEqual(
    { status: head.status, "content-length": head.headers.get("content-length") },
    { status: 200, "content-length": `${whole.length}` },
  )
  assert.equal((await head.arrayBuffer()).byteLength, 0)
  const etag = head.headers.get("etag") as string
  assert.equal((await get({ "if-none-match": etag })).status, 304)
  assert.equal((await get({ "if-none-match": etag }, `${path}/320`)).status, 200)
  assert.deepEqual(
    [(await get({ "if-match": etag })).status, (await get({ "if-match": '"other"' })).status],
    [200, 412],
  )
})

test("ranges are returned as requested; invalid ones get the whole image or 416", async () => {
  const size = whole.length
  const parts = [
    { range: "bytes=0-3", start: 0, end: 3 },
    { range: "bytes=5-", start: 5, end: size - 1 },
    { range: "bytes=-7", start: size - 7, end: size - 1 },
    { range: `bytes=0-${size * 2}`, start: 0, end: size - 1 },
    { range: `bytes=-${size * 2}`, start: 0, end: size - 1 },
  ]
  for (const { range, start, end } of parts) {
    const response = await get({ range })
    assert.deepEqual(
      { status: response.status, "content-range": response.headers.get("content-range") },
      { status: 206, "content-range": `bytes ${start}-${end}/${size}` },
    )
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), whole.subarray(start, end + 1))
  }
  for (const range of ["bytes=3-1", "bytes=0-1,3-4", "lines=1-2", "bytes=x"])
    assert.equal((await get({ range })).status, 200)
  assert.equal((await get({ range: "bytes=0-1", "if-range": '"other"' })).status, 200)
  for (const range of [`bytes=${size}-`, "bytes=-0"]) {
    const refused = await get({ range })
    assert.deepEqual(
      { status: refused.status, "content-range": refused.headers.get("content-range") },
      { status: 416, "content-range": `bytes */${size}` },
    )
  }
})

test("no other address leads to a file", async () => {
  const sha256 = path.split("/").at(-1) as string
  for (const where of [
    "/images/",
    `/images/${"0".repeat(64)}`,
    `/images/${sha256.toUpperCase()}`,
    `${path}/original`,
    `${path}/640`,
    `${path}/..%2f..%2fpetstore.db`,
    "/images/..%2f..%2fpetstore.db",
    "/images/../petstore.db",
    `/images/%2e%2e/${sha256}`,
  ]) {
    using connection = await rawConnection(petstore.url)
    connection.send(`GET ${where} HTTP/1.1\r\nHost: x\r\n\r\n`)
    assert.equal((await connection.response()).status, 404, where)
  }
})

test("clients that disconnect during a download leave no open file (slow)", async () => {
  const { hostname, port } = new URL(petstore.url)
  for (let round = 0; round < 40; round++)
    await Promise.all(
      Array.from({ length: 25 }, async (_, n) => {
        const socket = connect(Number(port), hostname).on("error", () => {})
        socket.write(`GET ${path} HTTP/1.1\r\nHost: petstore\r\n\r\n`)
        await sleep(n / 8)
        socket.resetAndDestroy()
      }),
    )
  const openFiles = () =>
    readdirSync("/proc/self/fd").filter((fd) => linkOf(`/proc/self/fd/${fd}`).startsWith(petstore.imageDirectory))
  await until(() => openFiles().length === 0, "files of images stay open")
})

/** Empty when the descriptor was closed meanwhile. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ""
  }
}
