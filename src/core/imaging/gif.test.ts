import assert from "node:assert/strict"
import { test } from "node:test"
import { Damaged } from "./byte-reader.ts"
import { cleanGif } from "./gif.ts"

const bytes = (text: string) => Buffer.from(text, "latin1")
/** A screen of 2 × 1 pixels with four colours. */
const head = Buffer.concat([bytes("GIF89a\x02\0\x01\0\x81\0\0"), Buffer.alloc(12, 7)])
const end = bytes("\x3b")
const timing = bytes("\x21\xf9\x04\0\x0a\0\0\0")
const repetitions = bytes("\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0")
const frame = bytes("\x2c\0\0\0\0\x02\0\x01\0\0\x02\x02\x44\x0a\0")
const ownColours = Buffer.concat([
  bytes("\x2c\0\0\0\0\x02\0\x01\0\x80"),
  Buffer.alloc(6, 9),
  bytes("\x02\x02\x44\x0a\0"),
])
const comment = bytes("\x21\xfe\x05a, b!\x01\x2c\x02\x2c\x3b\0")
const xmp = bytes("\x21\xff\x0bXMP DataXMP\x03<x>\0")

test("frames, timing and repetitions of a GIF file stay bit for bit, and everything else is removed", () => {
  const kept = [repetitions, timing, frame, timing, ownColours]
  const file = Buffer.concat([head, comment, repetitions, xmp, timing, frame, comment, timing, ownColours, xmp, end])
  assert.deepEqual(cleanGif(file), Buffer.concat([head, ...kept, end]))
  assert.deepEqual(
    cleanGif(Buffer.concat([head, ...kept, end, bytes("trailing")])),
    Buffer.concat([head, ...kept, end]),
  )
})

test("a file without a table of colours is read too", () => {
  const file = Buffer.concat([bytes("GIF89a\x02\0\x01\0\0\0\0"), ownColours, end])
  assert.deepEqual(cleanGif(file), file)
})

test("a truncated file, and one with an unknown block, is damaged", () => {
  const file = Buffer.concat([head, timing, frame, end])
  for (let length = 0; length < file.length; length++)
    assert.throws(() => cleanGif(file.subarray(0, length)), Damaged, `${length} bytes`)
  assert.throws(() => cleanGif(Buffer.concat([head, bytes("\x22"), frame, end])), Damaged)
})
