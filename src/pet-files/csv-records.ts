import { HeldBytes } from "./held-bytes.ts"
import { type Line, readLines } from "./lines.ts"

const quote = 0x22
const lineFeed = Uint8Array.of(0x0a)
const carriageReturn = Uint8Array.of(0x0d)

/**
 * Splits CSV (RFC 4180) into records with the number of their first line. A line ends with CRLF, LF, or CR, as spreadsheets on a
 * Mac write it. Line breaks between quotes belong to a field. A record longer than any pet is skipped without buffering, and the next line starts a new record.
 */
export async function* readRecords(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  const held = new HeldBytes()
  let number = 0
  let isOpen = false
  let lastBreak = lineFeed

  function take(isUnended: boolean): Line {
    isOpen = false
    return { number, bytes: held.take(), isUnended }
  }

  for await (const line of readLines(chunks, "line feeds and lone returns")) {
    if (!isOpen) number = line.number
    else held.add(lastBreak)
    lastBreak = line.endsInReturn ? carriageReturn : lineFeed
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

/**
 * The fields of a record; undefined when its quoting is invalid. Spaces around a field do not belong to it. A field without quotes
 * that stands for a missing value, such as `NULL`, is empty; with quotes it is text.
 */
export function parseRecord(text: string, separator: string): string[] | undefined {
  const fields: string[] = []
  for (let at = 0; at <= text.length; at++) {
    const start = skipSpaces(text, at)
    const isQuoted = text[start] === '"'
    const close = isQuoted ? closingQuote(text, start + 1) : 0
    if (close === -1) return undefined
    const end = isQuoted ? skipSpaces(text, close + 1) : endOfField(text, separator, at)
    const field = isQuoted ? text.slice(start + 1, close).replaceAll('""', '"') : text.slice(start, end).trim()
    if (!isQuoted && field.includes('"')) return undefined
    if (end < text.length && text[end] !== separator) return undefined
    fields.push(isQuoted || !isMissing(field) ? field : "")
    at = end
  }
  return fields
}

/** Quotes a field when its text would not be read unchanged without quotes. */
export const quoteField = (text: string): string =>
  /[",;\r\n\t]|^\s|\s$/.test(text) || isMissing(text) ? `"${text.replaceAll('"', '""')}"` : text

/** What databases, spreadsheets and data frames write for a missing value. */
const missing: ReadonlySet<string> = new Set(["NULL", "null", "\\N", "NaN", "nan", "N/A", "#N/A", "None"])
const isMissing = (field: string): boolean => field.length <= 4 && missing.has(field)

function skipSpaces(text: string, from: number): number {
  let at = from
  while (text[at] === " ") at++
  return at
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
