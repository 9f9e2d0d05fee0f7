import { ByteReader, Damaged } from "./byte-reader.ts"

const graphicControl = 0xf9
const application = 0xff
/** Application extensions for the number of repetitions. */
const loops = new Set(["NETSCAPE2.0", "ANIMEXTS1.0"])

/** Removes everything but frames, timing and repetitions from a GIF file (GIF89a). */
export function cleanGif(bytes: Buffer): Buffer {
  const file = new ByteReader(bytes)
  file.take(10)
  skipColours(file, file.byte())
  file.take(2)
  const kept: Buffer[] = []
  let start = 0
  for (;;) {
    kept.push(bytes.subarray(start, file.at))
    start = file.at
    const block = file.byte()
    if (block === 0x3b) return Buffer.concat([...kept, bytes.subarray(start, file.at)])
    if (block === 0x2c) skipFrame(file)
    else if (block !== 0x21) throw new Damaged("it contains an unknown block")
    else if (!isNeeded(file)) start = file.at
  }
}

function skipFrame(file: ByteReader): void {
  file.take(8)
  skipColours(file, file.byte())
  file.take(1)
  skipBlocks(file)
}

/** Skips an extension; returns whether it is kept. */
function isNeeded(file: ByteReader): boolean {
  const label = file.byte()
  const name = file.bytes.toString("latin1", file.at + 1, file.at + 12)
  skipBlocks(file)
  return label === graphicControl || (label === application && loops.has(name))
}

function skipColours(file: ByteReader, flags: number): void {
  if (flags & 0x80) file.take(3 * 2 ** ((flags & 7) + 1))
}

function skipBlocks(file: ByteReader): void {
  for (let size = file.byte(); size > 0; size = file.byte()) file.take(size)
}
