import { ByteReader } from "./byte-reader.ts"

/** The chunks that affect the appearance of a still image (PNG third edition, section 11). */
const needed = new Set("IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD pHYs".split(" "))

/** Removes the chunks that do not affect the appearance from a PNG file. */
export function cleanPng(bytes: Buffer): Buffer {
  const file = new ByteReader(bytes)
  const kept = [file.take(8)]
  for (;;) {
    const start = file.at
    const length = file.take(4).readUInt32BE()
    const type = file.take(4).toString("latin1")
    file.take(length + 4)
    if (needed.has(type)) kept.push(bytes.subarray(start, file.at))
    if (type === "IEND") return Buffer.concat(kept)
  }
}
