import { ByteReader, Damaged } from "./byte-reader.ts"

/** The boxes of a still image (ISO/IEC 23008-12). */
const needed = new Set(["ftyp", "meta", "mdat"])
/** The header of a TIFF, with which EXIF begins. Less holds no metadata, and could be a part of the image by chance. */
const metadataBytesMin = 8

/**
 * Removes everything but the image from an AVIF file. The file refers to its parts by offset, so other boxes and the given
 * metadata are overwritten with zeros instead of removed.
 */
export function cleanAvif(bytes: Buffer, metadata: readonly Buffer[]): Buffer {
  const copy = Buffer.from(bytes)
  const file = new ByteReader(copy)
  while (file.at < copy.length) {
    const start = file.at
    const head = file.take(8)
    const size = head.readUInt32BE() === 1 ? Number(file.take(8).readBigUInt64BE()) : head.readUInt32BE()
    const content = file.take((size === 0 ? copy.length : start + size) - file.at)
    if (needed.has(head.toString("latin1", 4))) continue
    head.write("free", 4, "latin1")
    content.fill(0)
  }
  for (const part of metadata) if (part.length >= metadataBytesMin) erase(copy, part)
  return copy
}

function erase(bytes: Buffer, part: Buffer): void {
  let at = bytes.indexOf(part)
  if (at < 0) throw new Damaged("its metadata is fragmented and cannot be removed")
  for (; at >= 0; at = bytes.indexOf(part, at + part.length)) bytes.fill(0, at, at + part.length)
}
