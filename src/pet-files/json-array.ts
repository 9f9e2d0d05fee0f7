import { HeldBytes } from "./held-bytes.ts"
import type { Line } from "./lines.ts"

const [lineFeed, space] = [0x0a, 0x20]
const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Splits a JSON array into its elements; each has the number of the line it begins on. An element longer than any pet is
 * skipped without being held. What is behind the array is one more element, and so is the end that an array lacks, an empty one.
 */
export async function* readElements(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  const held = new HeldBytes()
  let [line, number] = [1, 1]
  let [depth, elements] = [0, 0]
  let [isClosed, isText, isEscaped, hasBegun] = [false, false, false, false]

  function take(isUnended: boolean): Line {
    elements += 1
    hasBegun = false
    return { number, bytes: held.take(), isUnended }
  }

  for await (const chunk of chunks) {
    let start = depth > 0 || isClosed ? 0 : chunk.length
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number
      const isBlank = !hasBegun
      if (byte === lineFeed) line += 1
      else if (byte > space && !hasBegun) [hasBegun, number] = [true, line]
      if (isClosed) continue
      if (isText) {
        if (isEscaped) isEscaped = false
        else if (byte === backslash) isEscaped = true
        else if (byte === quote) isText = false
      } else if (byte === quote) isText = true
      else if (byte === openBracket || byte === openBrace) {
        depth += 1
        if (depth === 1) [start, hasBegun] = [at + 1, false]
      } else if (byte === closeBracket || byte === closeBrace) {
        depth -= 1
        if (depth > 0) continue
        held.add(chunk.subarray(start, at))
        if (elements > 0 || !isBlank) yield take(false)
        else held.take()
        hasBegun = false
        isClosed = true
        start = at + 1
      } else if (byte === comma && depth === 1) {
        held.add(chunk.subarray(start, at))
        yield take(false)
        start = at + 1
      }
    }
    held.add(chunk.subarray(start))
  }
  if (hasBegun) yield take(true)
  // An array that ends behind a whole element has lost the others.
  if (!isClosed) yield { number: line, bytes: new Uint8Array(), isUnended: true }
}
