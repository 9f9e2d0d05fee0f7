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
