import { HeldBytes } from "./held-bytes.ts"

/** One line of a file, without its line end. */
export type Line = {
  /** Counted from 1, blank lines included. */
  number: number
  /** Undefined when the line is longer than any body that the service accepts; such lines are not buffered. */
  bytes: Uint8Array | undefined
  /** Whether the file ended within the line. */
  isUnended: boolean
}

const lineFeed = 0x0a
const carriageReturn = 0x0d

/** Splits bytes into lines. Memory is bounded by the longest line that the service accepts. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let number = 0
  const held = new HeldBytes()
  const takeLine = (isUnended: boolean): Line => {
    const bytes = held.take()
    number += 1
    return { number, bytes: bytes && stripReturn(bytes), isUnended }
  }

  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      held.add(chunk.subarray(start, end))
      start = end + 1
      yield takeLine(false)
    }
    if (start < chunk.length) held.add(chunk.subarray(start))
  }
  if (!held.isEmpty) yield takeLine(true)
}

const stripReturn = (bytes: Uint8Array): Uint8Array => (bytes.at(-1) === carriageReturn ? bytes.subarray(0, -1) : bytes)

const excerptLength = 200

/** The start of a line, for reports. */
export const excerptOf = ({ bytes }: Pick<Line, "bytes">): string =>
  bytes ? new TextDecoder().decode(bytes.subarray(0, excerptLength)) : ""
