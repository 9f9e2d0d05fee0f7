import assert from "node:assert/strict"
import { test } from "node:test"
import { Damaged } from "./byte-reader.ts"
import { cleanWebp } from "./webp.ts"

function chunk(type: string, content: readonly number[], padding = content.length % 2): Buffer {
  const head = Buffer.alloc(8)
  head.write(type, "latin1")
  head.writeUInt32LE(content.length, 4)
  return Buffer.concat([head, Buffer.from(content), Buffer.alloc(padding)])
}

function webp(...chunks: Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from("WEBP"), ...chunks])
  const head = Buffer.from("RIFF\0\0\0\0", "latin1")
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body])
}

const [pixels, alpha] = [chunk("VP8 ", [1, 2, 3]), chunk("ALPH", [4, 5])]

test("chunks of metadata are removed from a WebP file, with the bits that announce them, and its sizes are right", () => {
  const flags = (bits: number) => chunk("VP8X", [bits, 0, 0, 0, 9, 0, 0, 9, 0, 0])
  const file = webp(flags(0b0011_1110), chunk("EXIF", [7, 7, 7]), alpha, pixels, chunk("XMP ", [8]), chunk("odd!", []))
  assert.deepEqual(cleanWebp(file), webp(flags(0b0011_0010), alpha, pixels))
})

test("a file without metadata stays as it is, and bytes after it are dropped", () => {
  const file = webp(pixels, alpha)
  assert.deepEqual(cleanWebp(file), file)
  assert.deepEqual(cleanWebp(Buffer.concat([file, Buffer.from("trailing")])), file)
  assert.deepEqual(cleanWebp(webp(chunk("VP8X", []))), webp(chunk("VP8X", [])))
  assert.deepEqual(cleanWebp(webp(chunk("VP8X", [0b1100]))), webp(chunk("VP8X", [0])))
})

test("a padding that is missing at the end of the file is added", () => {
  assert.deepEqual(cleanWebp(webp(alpha, chunk("VP8 ", [1, 2, 3], 0))), webp(alpha, pixels))
})

test("a truncated file is damaged", () => {
  const file = webp(alpha, pixels)
  assert.throws(() => cleanWebp(file.subarray(0, -1)), Damaged)
  assert.throws(() => cleanWebp(file.subarray(0, 11)), Damaged)
  file.writeUInt32LE(99, 16)
  assert.throws(() => cleanWebp(file), Damaged)
})
