import { HeldBytes } from "./held-bytes.ts"

/** One line of a file, without its line end. */
export type Line = {
  /** Counted from 1, blank lines included. */
  number: number
  /** Undefined when the line is longer than any body that the service accepts; such lines are not buffered. */
  bytes: Uint8Array | undefined
  /** Whether the file ended within the line. */
  isUnended: boolean
  /** Whether a lone carriage return ended it; absent for a line feed. */
  endsInReturn?: true
}

const lineFeed = 0x0a
const carriageReturn = 0x0d

/** What ends a line, besides a line feed: nothing, or a carriage return that no line feed follows. */
type LineEnds = "line feeds" | "line feeds and lone returns"

/** Splits bytes into lines. Memory is bounded by the longest line that the service accepts. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  ends: LineEnds = "line feeds",
): AsyncGenerator<Line> {
  let number = 0
  let isAfterReturn = false
  const held = new HeldBytes()
  const takeLine = (isUnended: boolean, isReturn: boolean): Line => {
    const bytes = held.take()
    number += 1
    return { number, bytes: bytes && stripReturn(bytes), isUnended, ...(isReturn && { endsInReturn: true }) }
  }

  for await (const chunk of chunks) {
    if (isAfterReturn && chunk[0] !== lineFeed) yield takeLine(false, true)
    const find = createFinder(chunk, ends)
    let start = 0
    for (let end = find(start); end !== -1; end = find(start)) {
      held.add(chunk.subarray(start, end))
      start = end + 1
      yield takeLine(false, chunk[end] === carriageReturn)
    }
    if (start < chunk.length) held.add(chunk.subarray(start))
    isAfterReturn = ends !== "line feeds" && chunk.at(-1) === carriageReturn
  }
  if (!held.isEmpty) yield takeLine(!isAfterReturn, isAfterReturn)
}

/** Creates a function that returns the next end of a line in a chunk. A carriage return at its end is left to the next chunk. */
function createFinder(chunk: Uint8Array, ends: LineEnds): (from: number) => number {
  let feed = chunk.indexOf(lineFeed)
  let lone = ends === "line feeds" ? -1 : findLoneReturn(chunk, 0)
  return (from) => {
    if (feed !== -1 && feed < from) feed = chunk.indexOf(lineFeed, from)
    if (lone !== -1 && lone < from) lone = findLoneReturn(chunk, from)
    return lone !== -1 && (feed === -1 || lone < feed) ? lone : feed
  }
}

function findLoneReturn(chunk: Uint8Array, from: number): number {
  let at = chunk.indexOf(carriageReturn, from)
  while (at !== -1 && chunk[at + 1] === lineFeed) at = chunk.indexOf(carriageReturn, at + 1)
  return at === chunk.length - 1 ? -1 : at
}

const stripReturn = (bytes: Uint8Array): Uint8Array => (bytes.at(-1) === carriageReturn ? bytes.subarray(0, -1) : bytes)

const excerptLength = 200

/** The start of a line, for reports. */
export const excerptOf = ({ bytes }: Pick<Line, "bytes">): string =>
  bytes ? new TextDecoder().decode(bytes.subarray(0, excerptLength)) : ""
