import { ByteReader, Damaged } from "./byte-reader.ts"

/** The chunks that affect the appearance (RFC 9649 section 2). */
const needed = new Set(["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP"])
const exifAndXmp = 0b0000_1100

/** Removes the chunks that do not affect the appearance from a WebP file. */
export function cleanWebp(bytes: Buffer): Buffer {
  const file = new ByteReader(bytes)
  const length = file.take(12).readUInt32LE(4)
  const end = length + 8
  if (end > bytes.length) throw new Damaged("it is truncated")

  const kept: Buffer[] = []
  while (file.at < end) {
    const head = file.take(8)
    const type = head.toString("latin1", 0, 4)
    const size = head.readUInt32LE(4)
    // A chunk of odd size is padded with a zero, which some writers omit at the end of the file.
    const content = Buffer.from(file.take(size))
    const padding = size % 2 === 0 ? Buffer.alloc(0) : Buffer.alloc(1)
    file.at += padding.length
    if (!needed.has(type)) continue
    if (type === "VP8X") content[0] = (content[0] as number) & ~exifAndXmp
    kept.push(head, content, padding)
  }
  const body = Buffer.concat(kept)
  const riff = Buffer.from("RIFF\0\0\0\0WEBP", "latin1")
  riff.writeUInt32LE(body.length + 4, 4)
  return Buffer.concat([riff, body])
}
