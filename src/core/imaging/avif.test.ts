import assert from "node:assert/strict"
import { test } from "node:test"
import { cleanAvif } from "./avif.ts"
import { Damaged } from "./byte-reader.ts"

/** A box with its size in 32 bits, in 64 bits, or unknown, which only the last one of a file may have. */
function box(type: string, content: string, size: "short" | "long" | "open" = "short"): Buffer {
  const length = content.length
  const head = Buffer.alloc(size === "long" ? 16 : 8)
  head.writeUInt32BE(size === "short" ? 8 + length : size === "long" ? 1 : 0)
  head.write(type, 4, "latin1")
  if (size === "long") head.writeBigUInt64BE(BigInt(16 + length), 8)
  return Buffer.concat([head, Buffer.from(content, "latin1")])
}

const image = [box("ftyp", "avif"), box("meta", "where"), box("mdat", "pixels")]

test("the boxes of an image stay bit for bit; others keep their place, with zeros", () => {
  for (const size of ["short", "long"] as const) {
    const other = box("uuid", "SECRET", size)
    const emptied = box("free", "\0\0\0\0\0\0", size)
    const [type, ...rest] = image as [Buffer, Buffer, Buffer]
    assert.deepEqual(cleanAvif(Buffer.concat([type, other, ...rest]), []), Buffer.concat([type, emptied, ...rest]))
  }
  assert.deepEqual(
    cleanAvif(Buffer.concat([...image, box("uuid", "SECRET", "open")]), []),
    Buffer.concat([...image, box("free", "\0\0\0\0\0\0", "open")]),
  )
  assert.deepEqual(
    cleanAvif(Buffer.concat([...image, box("mdat", "more", "open")]), []).subarray(-4),
    Buffer.from("more"),
  )
})

test("metadata in the boxes of an image is overwritten wherever it is, and one that is in pieces is refused", () => {
  const [exif, xmp] = [Buffer.from("EXIF II*"), Buffer.from("XMP packet")]
  const fileOf = (...parts: Buffer[]) =>
    Buffer.concat([box("ftyp", "avif"), box("meta", "where"), box("mdat", parts.map(String).join("pixels"))])
  const [noExif, noXmp] = [Buffer.alloc(exif.length), Buffer.alloc(xmp.length)]
  const file = fileOf(exif, exif, xmp)
  assert.deepEqual(cleanAvif(file, [exif, xmp]), fileOf(noExif, noExif, noXmp))
  assert.throws(() => cleanAvif(file, [Buffer.from("EXIF MM*")]), Damaged)
  const start = file.subarray(0, 8)
  assert.deepEqual(cleanAvif(file, [start]), Buffer.concat([Buffer.alloc(8), file.subarray(8)]), "at the start too")
  assert.deepEqual(cleanAvif(fileOf(exif, noExif), [noExif]), fileOf(exif, noExif), "also one of zeros only")
})

test("metadata without the eight bytes of a header is none, and the image keeps its bytes", () => {
  const file = Buffer.concat([box("ftyp", "avif"), box("mdat", "pixels pixels")])
  for (const text of ["", "p", "pixels "]) assert.deepEqual(cleanAvif(file, [Buffer.from(text)]), file)
  const clean = Buffer.concat([box("ftyp", "avif"), box("mdat", "\0\0\0\0\0\0\0\0ixels")])
  assert.deepEqual(cleanAvif(file, [Buffer.from("pixels p")]), clean)
})

test("a file that ends within a box is refused, and the given bytes stay as they are", () => {
  const file = Buffer.concat([...image, box("uuid", "SECRET")])
  const before = Buffer.from(file)
  assert.throws(() => cleanAvif(file.subarray(0, -1), []), Damaged)
  cleanAvif(file, [])
  assert.deepEqual(file, before)
})
