// Runs in a process of its own.
import assert from "node:assert/strict"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { test } from "node:test"
import sharp from "sharp"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { makeImage, telltale } from "../../../test/harness/images.ts"
import { randomOf } from "../../../test/harness/random.ts"
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

/** An image that does not compress well, so that each way to scale it gives other bytes. */
const noise = (width: number, height: number, seed = 1) => {
  const random = randomOf(seed)
  const pixels = Buffer.from(Array.from({ length: width * height * 3 }, () => random() * 256))
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer()
}

/** The bytes of the copies of an image. */
async function copiesOf(bytes: Buffer) {
  using directory = temporaryDirectory()
  const file = join(directory.path, "upload")
  await writeFile(file, bytes)
  const outcome = await decodeImage(file, directory.path)
  if (outcome instanceof Problem) return outcome
  const { files } = outcome
  return { small: await readFile(files["320"].path), large: await readFile(files["1280"].path) }
}

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
  const sizesOf = async (width: number, height: number) => (await develop(await plain(width, height))).sizes
  assert.deepEqual(await sizesOf(2000, 1000), ["320 × 160 webp", "1280 × 640 webp"])
  assert.deepEqual(await sizesOf(600, 1280), ["150 × 320 webp", "600 × 1280 webp"])
  assert.deepEqual(await sizesOf(321, 2), ["320 × 2 webp", "321 × 2 webp"])
  assert.deepEqual(await sizesOf(2, 320), ["2 × 320 webp", "2 × 320 webp"])
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
  for (const format of ["jpeg", "png", "webp"] as const) {
    assert.equal((await sharp((await store(await telltale(format))) as Buffer).metadata()).format, format)
    assert.deepEqual(await develop(await telltale(format)), {
      type: `image/${format}`,
      width: 40,
      height: 80,
      frames: 1,
      sizes: ["40 × 80 webp", "40 × 80 webp"],
    })
  }
})

test("an image that is mirrored only is turned, too", async () => {
  const mirrored = await sharp(await noise(20, 10))
    .withMetadata({ orientation: 2 })
    .jpeg()
    .toBuffer()
  const stored = (await store(mirrored)) as Buffer
  const { width, height, orientation } = await sharp(stored).metadata()
  assert.deepEqual([width, height, orientation], [20, 10, undefined])
})

test("the small copy of an image is made from the large one, unless that is as large as the image", async () => {
  for (const [width, isFromLarge] of [
    [1280, false],
    [1281, true],
  ] as const) {
    const sent = await noise(width, 64)
    const { small, large } = (await copiesOf(sent)) as { small: Buffer; large: Buffer }
    const scaled = (from: Buffer) =>
      sharp(from).resize({ width: 320, height: 320, fit: "inside" }).webp({ quality: 80, effort: 4 }).toBuffer()
    const [fromLarge, fromSent] = await Promise.all([scaled(large), scaled(sent)])
    assert.deepEqual([small.equals(fromLarge), small.equals(fromSent)], [isFromLarge, !isFromLarge], `${width}`)
  }
})

test("the copies of an animation move, and are the same file when it is small", async () => {
  const frames = await Promise.all([1, 2].map((seed) => noise(20, 200, seed)))
  for (const [count, source] of [
    [1, sharp(frames[0])],
    [2, sharp(frames, { join: { animated: true } })],
  ] as const) {
    const animation = await source.gif().toBuffer()
    const { small, large } = (await copiesOf(animation)) as { small: Buffer; large: Buffer }
    assert.equal((await sharp(small, { animated: true }).metadata()).pages ?? 1, count)
    assert.ok(small.equals(large))
  }
})

test("images of any size are measured before they are refused", async () => {
  assert.deepEqual(await develop(cutAnimation(300, 1000, 1000)), {
    code: "image-too-large",
    detail: "The image has 300 megapixels, all frames together; the maximum is 50",
  })
})

test("a decoder keeps no images, uses one core, and reads no other formats", async () => {
  const { memory, files, items } = sharp.cache()
  assert.deepEqual([memory.max, files.max, items.max, sharp.concurrency()], [0, 0, 0, 1])
  const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="2" height="2"/>')
  for (const other of [
    drawing,
    await sharp(await plain(2, 2))
      .tiff()
      .toBuffer(),
  ])
    await assert.rejects(sharp(other).metadata(), /unsupported image format/)
})

test("a failure of the machine is no fault of the image", async () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "upload")
  await assert.rejects(decodeImage(file, directory.path), { code: "ENOENT" })
  await writeFile(file, await plain(2, 2))
  await assert.rejects(decodeImage(file, join(directory.path, "missing")), { code: "ENOENT" })
})
