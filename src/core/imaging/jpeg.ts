import { ByteReader, Damaged } from "./byte-reader.ts"

const endOfImage = 0xd9
const startOfScan = 0xda
const comment = 0xfe

const endMark = Buffer.from([0xff, endOfImage])

/**
 * Removes the segments that a decoder does not need, such as EXIF, from a JPEG file (ITU-T T.81 annex B), and stray bytes between
 * segments. Keeps the color profile. Adds a missing end mark.
 */
export const cleanJpeg = (bytes: Buffer): Buffer => Buffer.concat([...takeApart(bytes).kept, endMark])

/** The file with an end mark. Decoders fill pixels that are missing before it without an error. */
export const endJpeg = (bytes: Buffer): Buffer => Buffer.concat([bytes, endMark])

/** Whether the end mark is there, which some phones and interrupted copies omit. */
export const isEnded = (bytes: Buffer): boolean => takeApart(bytes).isEnded

function takeApart(bytes: Buffer): { kept: Buffer[]; isEnded: boolean } {
  const file = new ByteReader(bytes)
  const kept = [file.take(2)]
  let hasScan = false
  for (;;) {
    const marker = nextMarker(file)
    if (marker === undefined && !hasScan) throw new Damaged("it is truncated")
    if (marker === undefined || marker === endOfImage) return { kept, isEnded: marker !== undefined }

    const length = file.take(2)
    const content = file.take(length.readUInt16BE() - 2)
    if (isNeeded(marker, content)) kept.push(Buffer.from([0xff, marker]), length, content)
    if (marker !== startOfScan) continue
    hasScan = true
    kept.push(scan(file))
  }
}

/** Finds the next marker of a segment or of the end, past stray bytes; undefined at the end of the data. */
function nextMarker(file: ByteReader): number | undefined {
  for (;;) {
    const found = file.bytes.indexOf(0xff, file.at)
    const code = found < 0 ? undefined : file.bytes[found + 1]
    if (code === undefined) return undefined
    file.at = found + 1
    const hasSegment = code >= 0xc0 && code !== 0xff && !(code >= 0xd0 && code <= 0xd8)
    if (hasSegment) return file.byte()
  }
}

function isNeeded(marker: number, content: Buffer): boolean {
  const named = (name: string) => content.subarray(0, name.length).toString("latin1") === name
  if (marker === 0xe0) return named("JFIF\0")
  if (marker === 0xe2) return named("ICC_PROFILE\0")
  if (marker === 0xee) return named("Adobe")
  return marker < 0xe0 || (marker > 0xef && marker !== comment)
}

/** The entropy-coded data up to the next marker other than a stuffed zero or a restart, or to the end. */
function scan(file: ByteReader): Buffer {
  const start = file.at
  for (;;) {
    const found = file.bytes.indexOf(0xff, file.at)
    const code = found < 0 ? undefined : file.bytes[found + 1]
    if (code === undefined) return file.bytes.subarray(start, found < 0 ? undefined : found)
    file.at = found
    if (code === 0xff) file.at = found + 1
    else if (code === 0 || (code >= 0xd0 && code <= 0xd7)) file.at = found + 2
    else return file.bytes.subarray(start, found)
  }
}
