import { HeldBytes } from "./held-bytes.ts"
import { type Line, readLines } from "./lines.ts"

const quote = 0x22
const lineFeed = Uint8Array.of(0x0a)

/**
 * Splits CSV (RFC 4180) into records with the number of their first line. Line breaks between quotes belong to a field. A record
 * longer than any pet is skipped without buffering, and the next line starts a new record.
 */
export async function* readRecords(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  const held = new HeldBytes()
  let number = 0
  let isOpen = false

  function take(isUnended: boolean): Line {
    isOpen = false
    return { number, bytes: held.take(), isUnended }
  }

  for await (const line of readLines(chunks)) {
    if (!isOpen) number = line.number
    else held.add(lineFeed)
    held.add(line.bytes)
    if (line.bytes && !held.isTooLong) {
      if (hasOddQuotes(line.bytes)) isOpen = !isOpen
      if (isOpen && !line.isUnended) continue
    }
    yield take(line.isUnended)
  }
  if (isOpen) yield take(true)
}

function hasOddQuotes(bytes: Uint8Array): boolean {
  let isOdd = false
  for (let at = bytes.indexOf(quote); at !== -1; at = bytes.indexOf(quote, at + 1)) isOdd = !isOdd
  return isOdd
}

/** The fields of a record; undefined when its quoting is invalid. */
export function parseRecord(text: string, separator: string): string[] | undefined {
  const fields: string[] = []
  for (let at = 0; at <= text.length; at++) {
    const isQuoted = text[at] === '"'
    const close = isQuoted ? closingQuote(text, at + 1) : 0
    if (close === -1) return undefined
    const end = isQuoted ? close + 1 : endOfField(text, separator, at)
    const field = isQuoted ? text.slice(at + 1, close).replaceAll('""', '"') : text.slice(at, end)
    if (!isQuoted && field.includes('"')) return undefined
    if (end < text.length && text[end] !== separator) return undefined
    fields.push(field)
    at = end
  }
  return fields
}

/** The position of the closing quote; -1 when there is none. */
function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from)
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2)
  return at
}

function endOfField(text: string, separator: string, from: number): number {
  const at = text.indexOf(separator, from)
  return at === -1 ? text.length : at
}
