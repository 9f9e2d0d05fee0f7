import { petBytesMax } from "../domain/pets/contract.ts"

/** One line of a file, without its line end. */
export type Line = {
  /** Counted from 1, blank lines included. */
  number: number
  /** Undefined when the line is longer than any body the service accepts; such a line is never held in memory. */
  bytes: Uint8Array | undefined
  /** Whether the file ended before the line did. */
  isUnended: boolean
}

const lineFeed = 0x0a
const carriageReturn = 0x0d

/** Splits a stream of bytes into lines. Memory is bounded by the longest line the service accepts. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let number = 0
  let held: Uint8Array[] = []
  let heldBytes = 0
  const hold = (part: Uint8Array) => {
    heldBytes += part.length
    if (heldBytes <= petBytesMax) held.push(part)
    else held = []
  }
  const takeLine = (isUnended: boolean): Line => {
    const bytes =
      heldBytes <= petBytesMax
        ? stripReturn(held.length === 1 ? (held[0] as Uint8Array) : Buffer.concat(held))
        : undefined
    held = []
    heldBytes = 0
    number += 1
    return { number, bytes, isUnended }
  }

  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      hold(chunk.subarray(start, end))
      start = end + 1
      yield takeLine(false)
    }
    if (start < chunk.length) hold(chunk.subarray(start))
  }
  if (heldBytes > 0) yield takeLine(true)
}

const stripReturn = (bytes: Uint8Array): Uint8Array => (bytes.at(-1) === carriageReturn ? bytes.subarray(0, -1) : bytes)
