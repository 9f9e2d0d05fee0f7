import { ByteReader, Damaged } from "./byte-reader.ts"

const endOfImage = 0xd9
const startOfScan = 0xda
const comment = 0xfe

/** Removes the segments that a decoder does not need, such as EXIF, from a JPEG file (ITU-T T.81 annex B). Keeps the color profile. */
export function cleanJpeg(bytes: Buffer): Buffer {
  const file = new ByteReader(bytes)
  const kept = [file.take(2)]
  for (;;) {
    const marker = nextMarker(file)
    if (marker === endOfImage) return Buffer.concat([...kept, Buffer.from([0xff, endOfImage])])

    const length = file.take(2)
    const content = file.take(length.readUInt16BE() - 2)
    if (isNeeded(marker, content)) kept.push(Buffer.from([0xff, marker]), length, content)
    if (marker === startOfScan) kept.push(scan(file))
  }
}

function nextMarker(file: ByteReader): number {
  if (file.byte() !== 0xff) throw new Damaged("a segment does not start with a marker")
  let marker = file.byte()
  while (marker === 0xff) marker = file.byte()
  if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd8)) throw new Damaged("a marker is misplaced")
  return marker
}

function isNeeded(marker: number, content: Buffer): boolean {
  const named = (name: string) => content.subarray(0, name.length).toString("latin1") === name
  if (marker === 0xe0) return named("JFIF\0")
  if (marker === 0xe2) return named("ICC_PROFILE\0")
  if (marker === 0xee) return named("Adobe")
  return marker < 0xe0 || (marker > 0xef && marker !== comment)
}

/** The entropy-coded data up to the next marker other than a stuffed zero or a restart. */
function scan(file: ByteReader): Buffer {
  const start = file.at
  for (;;) {
    const found = file.bytes.indexOf(0xff, file.at)
    const code = found < 0 ? undefined : file.bytes[found + 1]
    if (code === undefined) throw new Damaged("it is truncated")
    file.at = found
    if (code === 0xff) file.at = found + 1
    else if (code === 0 || (code >= 0xd0 && code <= 0xd7)) file.at = found + 2
    else return file.bytes.subarray(start, found)
  }
}
