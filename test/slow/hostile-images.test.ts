import assert from "node:assert/strict"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import sharp from "sharp"
import { bomb, formats, makeImage } from "../harness/images.ts"
import { rawConnection } from "../harness/raw-http.ts"
import { keySender } from "../harness/send.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()

const address = "/api/v3/pet/1/uploadImage"
const post = keySender(petstore, "")
const postImage = async (body: string | Uint8Array<ArrayBuffer> | FormData, type?: string) => {
  const { status, value, headers } = await post("POST", address, body, type ? { "content-type": type } : {})
  return { status, code: value.code as string, location: headers.get("location") }
}
const bytesOf = (bytes: Buffer) => new Uint8Array(bytes)
const bare = (bytes: Buffer) => postImage(bytesOf(bytes), "application/octet-stream")
const staged = () => readdirSync(join(petstore.imageDirectory, "staged"))
const html = "<html><script>alert(1)</script></html>"

for (const format of formats)
  test(`a truncated ${format} is refused`, async () => {
    const whole = await makeImage(format, 60, 40)
    for (const share of [0.05, 0.3, 0.6, 0.9, 0.99]) {
      const { status } = await bare(whole.subarray(0, Math.floor(whole.length * share)))
      assert.ok(status === 422 || status === 415, `${share} of it: ${status}`)
    }
  })

test("images over 50 megapixels are refused from the header alone", async () => {
  for (const [width, height] of [
    [60_000, 60_000],
    [7072, 7072],
    [1, 50_000_001],
  ] as const)
    assert.deepEqual((await bare(await bomb(width, height))).code, "image-too-large")
})

test("an animation of more than 500 frames is refused, regardless of their size", async () => {
  const animation = (frames: number) =>
    sharp(Buffer.from(Array.from({ length: frames * 3 * 64 }, (_, n) => (Math.floor(n / 192) % 2) * 255)), {
      raw: { width: 8, height: frames * 8, channels: 3, pageHeight: 8 },
    })
      .gif()
      .toBuffer()
  const { status, code } = await bare(await animation(501))
  assert.deepEqual({ status, code }, { status: 422, code: "image-too-large" })
  assert.equal((await bare(await animation(500))).status, 200)
})

test("a file that is not an image is refused, regardless of its name", async () => {
  const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`)
  for (const bytes of [svg, Buffer.from(html), Buffer.from("%PDF-1.7"), Buffer.alloc(100)]) {
    const form = new FormData()
    form.set("file", new Blob([bytesOf(bytes)], { type: "image/png" }), "cat.png")
    assert.equal((await postImage(form)).code, "unsupported-image")
    assert.equal((await postImage(bytesOf(bytes), "image/png")).code, "unsupported-image")
  }
  assert.equal((await postImage("{}", "application/json")).code, "unsupported-media-type")
})

test("HTML in an image, as a comment or after its end, is not stored", async () => {
  const jpeg = await makeImage("jpeg")
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, html.length + 2]), Buffer.from(html)])
  const hidden = [Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2), Buffer.from(html)])]
  for (const format of ["png", "gif", "webp", "avif"] as const) {
    const box = Buffer.concat([Buffer.from([0, 0, 0, html.length + 8]), Buffer.from("free"), Buffer.from(html)])
    hidden.push(Buffer.concat([await makeImage(format), format === "avif" ? box : Buffer.from(html)]))
  }
  for (const bytes of hidden) {
    const { status, location } = await bare(bytes)
    assert.ok(status === 200 && location)
    const kept = Buffer.from(await (await fetch(location)).arrayBuffer())
    assert.ok(!kept.includes("script") && (await sharp(kept).metadata()).width === 64)
  }
})

test("an empty, too large, missing or second file is refused with its own problem", async () => {
  const png = new Blob([bytesOf(await makeImage("png"))])
  const formOf = (...parts: [string, Blob | string][]) => {
    const form = new FormData()
    for (const [name, part] of parts) form.append(name, part as Blob)
    return form
  }
  const tooLarge = new Uint8Array(10 * 1024 * 1024 + 1)
  assert.equal((await postImage("", "image/png")).code, "invalid-body")
  assert.equal((await postImage(tooLarge, "image/png")).code, "body-too-large")
  assert.equal((await postImage(formOf(["file", new Blob([tooLarge])]))).code, "body-too-large")
  assert.equal((await postImage(formOf(["additionalMetadata", "x"]))).code, "invalid-body")
  assert.equal((await postImage(formOf(["image", png]))).code, "invalid-body")
  assert.equal((await postImage(formOf(["file", new Blob([])]))).code, "invalid-body")
  assert.equal((await postImage(formOf(["file", png], ["file", png]))).code, "invalid-body")
  assert.equal((await postImage(formOf(["file", png], ["additionalMetadata", "x".repeat(1001)]))).code, "invalid-body")
  assert.equal((await postImage("--x\r\nbroken", "multipart/form-data; boundary=x")).code, "malformed-request")
  assert.equal((await postImage("x", "multipart/form-data")).code, "malformed-request")
})

const head = (more: string, path = address) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\napi_key: special-key\r\nContent-Type: image/png\r\n${more}\r\n\r\n`

test("an upload to an unknown pet is refused before the body is read", async () => {
  using connection = await rawConnection(petstore.url)
  connection.send(head("Content-Length: 1000", "/api/v3/pet/999999/uploadImage"))
  assert.equal((await connection.response()).status, 404)
})

test("an endless chunked body is refused at the limit, and its connection is closed", async () => {
  using connection = await rawConnection(petstore.url)
  connection.send(head("Transfer-Encoding: chunked"))
  const mebibyte = `100000\r\n${"x".repeat(1024 * 1024)}\r\n`
  for (let n = 0; n < 11; n++) connection.send(mebibyte)
  assert.equal((await connection.response()).status, 413)
  for (let n = 0; n < 20; n++) connection.send(mebibyte)
  await connection.closed
})

test("a client that disconnects during an upload leaves no temporary file", async () => {
  const connection = await rawConnection(petstore.url)
  connection.send(`${head("Content-Length: 100000")}${"x".repeat(1000)}`)
  while (staged().length === 0) await new Promise(setImmediate)
  connection[Symbol.dispose]()
  while (staged().length > 0) await new Promise(setImmediate)
})

test("after all of this no temporary file remains and no request caused an internal error", () => {
  assert.deepEqual(staged(), [])
  assert.ok(petstore.lines.every((line) => !line.includes("internal-error")))
})
