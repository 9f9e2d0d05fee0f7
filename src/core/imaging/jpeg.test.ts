import assert from "node:assert/strict"
import { test } from "node:test"
import { Damaged } from "./byte-reader.ts"
import { cleanJpeg, endJpeg, isEnded } from "./jpeg.ts"

const bytes = (text: string) => Buffer.from(text, "latin1")
const start = bytes("\xff\xd8")
const end = bytes("\xff\xd9")

function segment(marker: number, content = "content"): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, bytes(content)])
}

/** A scan whose data has a stuffed zero and the first and last restart mark. */
const scan = Buffer.concat([segment(0xda), bytes("a\xff\0b\xff\xd0c\xff\xd7d")])
const image = [segment(0xdb), segment(0xc0), segment(0xc4), scan]
const file = (...parts: Buffer[]) => Buffer.concat([start, ...parts, end])

test("a JPEG keeps the segments that a decoder needs, bit for bit, and no others", () => {
  const kept = [
    segment(0xe0, "JFIF\0 and a size"),
    segment(0xe2, "ICC_PROFILE\0 and a part of it"),
    segment(0xee, "Adobe and a transform"),
    ...[0xc0, 0xcf, 0xda, 0xdb, 0xdf, 0xf0, 0xfd].map((marker) => segment(marker)),
    segment(0xdd, ""),
  ]
  for (const one of kept) assert.deepEqual(cleanJpeg(file(one, ...image)), file(one, ...image), one.toString("latin1"))
  const removed = [
    ...[segment(0xe0, "JFXX\0"), segment(0xe0, "JFIF"), segment(0xe2, "MPF\0"), segment(0xee, "Other"), segment(0xfe)],
    ...Array.from({ length: 16 }, (_, n) => segment(0xe0 + n)),
  ]
  for (const one of removed) assert.deepEqual(cleanJpeg(file(one, ...image)), file(...image), one.toString("latin1"))
})

test("bytes between segments are removed, and marks without a segment among them", () => {
  const strays = ["stray", "\xff", "\xff\xff", "\xff\0", "\xff\x01", "\xff\xbf", "\xff\xd0", "\xff\xd7", "\xff\xd8"]
  for (const stray of strays)
    for (let n = 0; n < image.length; n++)
      assert.deepEqual(
        cleanJpeg(file(...image.slice(0, n), bytes(stray), ...image.slice(n))),
        file(...image),
        `${JSON.stringify(stray)} before segment ${n}`,
      )
})

test("the data of a scan reaches to the next mark, and an image may have several scans", () => {
  assert.deepEqual(cleanJpeg(file(...image, ...image)), file(...image, ...image))
  assert.deepEqual(cleanJpeg(file(...image, segment(0xfe), scan)), file(...image, scan))
  for (const mark of ["\xff\x01", "\xff\xd8", "\xff\xbf"])
    assert.deepEqual(cleanJpeg(file(...image, bytes(`${mark}stray`))), file(...image), JSON.stringify(mark))
  assert.deepEqual(cleanJpeg(file(...image, bytes("\xff"))), file(...image, bytes("\xff")), "a mark may be filled")
})

test("a missing end mark is noticed, added, and does not cost data; what follows the mark is removed", () => {
  const cut = file(...image).subarray(0, -2)
  assert.deepEqual([isEnded(cut), isEnded(file(...image)), isEnded(endJpeg(cut))], [false, true, true])
  assert.deepEqual(endJpeg(cut), file(...image))
  assert.deepEqual(cleanJpeg(cut), file(...image))
  assert.deepEqual(cleanJpeg(Buffer.concat([cut, bytes("\xff")])), file(...image), "half of the mark")
  assert.deepEqual(cleanJpeg(Buffer.concat([file(...image), bytes("after\xff\xd9")])), file(...image))
})

test("a file that ends before or within a segment, or gives a wrong length, is damaged", () => {
  const [first, ...rest] = image as [Buffer, ...Buffer[]]
  for (const damaged of [
    Buffer.alloc(0),
    start,
    Buffer.concat([start, first]),
    Buffer.concat([start, first.subarray(0, -1)]),
    Buffer.concat([start, first.subarray(0, 3)]),
    Buffer.concat([start, bytes("\xff\xdb\0\x01"), ...rest, end]),
    Buffer.concat([start, bytes("\xff\xdb\xff\xff"), ...rest, end]),
  ])
    assert.throws(() => cleanJpeg(damaged), Damaged, damaged.toString("latin1"))
  assert.deepEqual(cleanJpeg(Buffer.concat([start, end])), Buffer.concat([start, end]))
})
