// Runs in a process of its own.
import assert from "node:assert/strict"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { test } from "node:test"
import sharp from "sharp"
import { temporaryDirectory } from "../../test/harness/directory.ts"
import { makeImage, telltale } from "../../test/harness/images.ts"
import { Problem } from "../kernel/problem.ts"
import { decodeImage } from "./decode.ts"

/** The stored original, or the code of the problem. */
async function store(bytes: Buffer): Promise<Buffer | string> {
  using directory = temporaryDirectory()
  const file = join(directory.path, "upload")
  await writeFile(file, bytes)
  const outcome = await decodeImage(file, directory.path)
  return outcome instanceof Problem ? outcome.code : await readFile(outcome.files.original.path)
}

const pixelsOf = (bytes: Buffer | string) =>
  sharp(bytes as Buffer, { failOn: "warning" })
    .raw()
    .toBuffer()

/** The file with bytes before a marker. */
function withStray(bytes: Buffer, marker: number, stray: Buffer): Buffer {
  const at = bytes.indexOf(Buffer.from([0xff, marker]))
  return Buffer.concat([bytes.subarray(0, at), stray, bytes.subarray(at)])
}

const image = await makeImage("jpeg", 400, 300)

test("bytes between the segments of a JPEG are dropped, metadata among them, and every pixel stays", async () => {
  const hidden = Buffer.from("\xff\xe1\x00\x10Exif\0\0SECRETS\xff\x00 GPS", "latin1")
  for (const stray of [Buffer.from("eighteen bytes too"), Buffer.alloc(3), hidden])
    for (const marker of [0xc0, 0xc4, 0xda]) {
      const stored = await store(withStray(image, marker, stray))
      assert.ok(Buffer.isBuffer(stored), `${marker}: ${stored}`)
      assert.equal(stored.includes("SECRETS"), false)
      assert.equal(stored.includes("GPS"), false)
      assert.ok((await pixelsOf(stored)).equals(await pixelsOf(image)))
    }
})

test("a JPEG without its end mark is accepted when every pixel is there, and ends with one", async () => {
  const stored = await store(image.subarray(0, -2))
  assert.ok(Buffer.isBuffer(stored), String(stored))
  assert.deepEqual([...stored.subarray(-2)], [0xff, 0xd9])
  assert.ok((await pixelsOf(stored)).equals(await pixelsOf(image)))
})

test("also one that is turned upright", async () => {
  const turned = await telltale("jpeg")
  const [stored, expected] = [await store(turned.subarray(0, -2)), await store(turned)]
  assert.ok(Buffer.isBuffer(stored), String(stored))
  assert.ok((await pixelsOf(stored)).equals(await pixelsOf(expected)))
})

test("a JPEG that ends before its last pixel is refused, with and without an end mark", async () => {
  for (const missing of [3, 4, 12, 200, image.length / 2, image.length - 200])
    assert.equal(await store(image.subarray(0, image.length - missing)), "unreadable-image", String(missing))
})

/** Decodes a file; the dimensions of its copies, small and large. */
async function develop(bytes: Buffer) {
  using directory = temporaryDirectory()
  const file = join(directory.path, "upload")
  await writeFile(file, bytes)
  const outcome = await decodeImage(file, directory.path)
  if (outcome instanceof Problem) return { code: outcome.code, detail: outcome.detail }
  const { type, width, height, frames, files } = outcome
  const copies = [files["320"], files["1280"]].map(({ path }) => sharp(path).metadata())
  const sizes = (await Promise.all(copies)).map((copy) => `${copy.width} × ${copy.height} ${copy.format}`)
  return { type, width, height, frames, sizes }
}

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#888" } })
    .png()
    .toBuffer()

/** A GIF file of so many frames, each of which draws one pixel. Its end is missing, so that it is refused before it is decoded. */
function cutAnimation(frames: number, width: number, height: number): Buffer {
  const head = Buffer.from("GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff", "latin1")
  head.writeUInt16LE(width, 6)
  head.writeUInt16LE(height, 8)
  const frame = Buffer.from("\x21\xf9\x04\0\x0a\0\0\0\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0", "latin1")
  return Buffer.concat([head, ...Array<Buffer>(frames).fill(frame)])
}

test("the copies of an image fit into their squares, and are never larger than the image", async () => {
  const copiesOf = async (width: number, height: number) => (await develop(await plain(width, height))).sizes
  assert.deepEqual(await copiesOf(2000, 1000), ["320 × 160 webp", "1280 × 640 webp"])
  assert.deepEqual(await copiesOf(600, 1280), ["150 × 320 webp", "600 × 1280 webp"])
  assert.deepEqual(await copiesOf(321, 2), ["320 × 2 webp", "321 × 2 webp"])
  assert.deepEqual(await copiesOf(2, 320), ["2 × 320 webp", "2 × 320 webp"])
})

test("an image has 500 frames and 50 million pixels at most, in all of them", async () => {
  const unreadable = {
    code: "unreadable-image",
    detail: "The file looks like image/gif but cannot be read: it is truncated",
  }
  const tooLarge = (detail: string) => ({ code: "image-too-large", detail })
  const megapixels = (count: number) =>
    tooLarge(`The image has ${count} megapixels, all frames together; the maximum is 50`)
  assert.deepEqual(await develop(cutAnimation(500, 1, 1)), unreadable)
  assert.deepEqual(await develop(cutAnimation(501, 1, 1)), tooLarge("The animation has 501 frames; the maximum is 500"))
  assert.deepEqual(await develop(cutAnimation(100, 1000, 500)), unreadable)
  assert.deepEqual(await develop(cutAnimation(100, 1000, 501)), megapixels(51))
  assert.deepEqual(await develop(cutAnimation(500, 400, 250)), unreadable)
  assert.deepEqual(await develop(cutAnimation(500, 400, 251)), megapixels(51))
})

test("an image of each type is turned upright in its own type", async () => {
  for (const format of ["jpeg", "png", "webp"] as const)
    assert.deepEqual(await develop(await telltale(format)), {
      type: `image/${format}`,
      width: 40,
      height: 80,
      frames: 1,
      sizes: ["40 × 80 webp", "40 × 80 webp"],
    })
})

test("a failure of the machine is no fault of the image", async () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "upload")
  await assert.rejects(decodeImage(file, directory.path), { code: "ENOENT" })
  await writeFile(file, await plain(2, 2))
  await assert.rejects(decodeImage(file, join(directory.path, "missing")), { code: "ENOENT" })
})
