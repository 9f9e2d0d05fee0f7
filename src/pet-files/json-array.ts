import { HeldBytes } from "./held-bytes.ts"
import type { Line } from "./lines.ts"

const [lineFeed, space] = [0x0a, 0x20]
const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Splits a JSON array into elements with the number of their first line. An element longer than any pet is skipped without
 * buffering. Text after the array is returned as another element; a missing end of the array as an empty one.
 */
export async function* readElements(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  const held = new HeldBytes()
  let [line, number] = [1, 1]
  let [depth, elements] = [0, 0]
  let [isClosed, isText, isEscaped, hasStarted] = [false, false, false, false]

  function take(isUnended: boolean): Line {
    elements += 1
    hasStarted = false
    return { number, bytes: held.take(), isUnended }
  }

  for await (const chunk of chunks) {
    let start = depth > 0 || isClosed ? 0 : chunk.length
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number
      const isBlank = !hasStarted
      if (byte === lineFeed) line += 1
      else if (byte > space && !hasStarted) [hasStarted, number] = [true, line]
      if (isClosed) continue
      if (isText) {
        if (isEscaped) isEscaped = false
        else if (byte === backslash) isEscaped = true
        else if (byte === quote) isText = false
      } else if (byte === quote) isText = true
      else if (byte === openBracket || byte === openBrace) {
        depth += 1
        if (depth === 1) [start, hasStarted] = [at + 1, false]
      } else if (byte === closeBracket || byte === closeBrace) {
        depth -= 1
        if (depth > 0) continue
        held.add(chunk.subarray(start, at))
        if (elements > 0 || !isBlank) yield take(false)
        else held.take()
        hasStarted = false
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
  if (hasStarted) yield take(true)
  // An array that ends after a complete element is truncated, too.
  if (!isClosed) yield { number: line, bytes: new Uint8Array(), isUnended: true }
}
