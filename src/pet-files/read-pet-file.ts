import { takeTurns } from "../kernel/flow/turns.ts"
import { Problem } from "../kernel/problem.ts"
import { fieldsToValue, type MappedColumn, mapColumns } from "./csv-columns.ts"
import { parseRecord, readRecords } from "./csv-records.ts"
import { type Drafted, isBlank, readDraft, reject, validateDraft } from "./draft.ts"
import { readElements } from "./json-array.ts"
import { type Line, readLines } from "./lines.ts"

/** The content of a line: a pet, a rejection, or nothing. */
export type LineContent = Drafted | { blank: true }

/** A file of pets: its lines, records or elements, and the function that reads them. */
type PetFile = {
  /** The column mapping of a CSV file. */
  columns: readonly MappedColumn[] | undefined
  lines: AsyncIterable<Line>
  read(line: Line): LineContent
}

/**
 * Opens NDJSON with one JSON object per line, a JSON array, or CSV with column names in the first line. The first character
 * determines the format.
 */
export async function openPetFile(chunks: AsyncIterable<Uint8Array>): Promise<PetFile> {
  const source = chunks[Symbol.asyncIterator]()
  const first = await source.next()
  const restored = (async function* () {
    for (let next = first; !next.done; next = await source.next()) yield next.value
  })()
  const beginning = first.done ? "{" : new TextDecoder().decode(first.value.subarray(0, 1024)).trimStart()
  if (beginning.startsWith("[")) return { columns: undefined, lines: readElements(restored), read: readDraft }
  if (beginning.startsWith("{")) return { columns: undefined, lines: readLines(restored), read: skipBlank(readDraft) }

  const records = readRecords(restored)
  const header = await records.next()
  const { separator, columns } = readHeader(header.done ? undefined : header.value.bytes)
  return { columns, lines: records, read: skipBlank((line) => readCsvDraft(line, columns, separator)) }
}

const skipBlank =
  (read: (line: Line) => Drafted) =>
  (line: Line): LineContent =>
    isBlank(line) ? { blank: true } : read(line)

/** Reads all lines that are not blank, each a pet or a rejection. Throws a Problem after `linesMax` lines, records or elements. */
export async function readPetFile(chunks: AsyncIterable<Uint8Array>, linesMax: number) {
  const { columns, lines, read } = await openPetFile(chunks)
  return { columns, lines: draftEach(lines, read, linesMax) }
}

async function* draftEach(lines: AsyncIterable<Line>, read: PetFile["read"], linesMax: number) {
  const turns = takeTurns()
  let count = 0
  for await (const line of lines) {
    count += 1
    if (count > linesMax)
      throw new Problem("body-too-large", `A file may have ${linesMax} lines, including blank ones. Split the file`)
    // Lines often come from memory without any wait.
    if (turns.isOver()) await turns.next()
    const found = read(line)
    if (!("blank" in found)) yield { line, ...found }
  }
}

const columnsMax = 100
const utf8 = new TextDecoder("utf-8", { fatal: true })
const separators = [",", ";", "\t"]

function readHeader(bytes: Uint8Array | undefined) {
  const text = bytes && new TextDecoder().decode(bytes)
  const unquoted = text?.replace(/"[^"]*"/g, "") ?? ""
  const count = (separator: string) => unquoted.split(separator).length
  const separator = separators.reduce((best, each) => (count(each) > count(best) ? each : best))
  const titles = text === undefined ? undefined : parseRecord(text, separator)
  if (titles && titles.length > columnsMax) throw noPets(`has ${titles.length} columns; the maximum is ${columnsMax}`)
  const columns = mapColumns(titles ?? [])
  if (columns.some(({ column }) => column === "name")) return { separator, columns }
  throw noPets("must be NDJSON, a JSON array, or CSV with column names in the first line, including name")
}

const noPets = (detail: string): Problem =>
  new Problem("invalid-body", `The file ${detail}`, { violations: [{ pointer: "/file", code: "no-pets", detail }] })

function readCsvDraft(
  { bytes, isUnended, ...line }: Line,
  columns: readonly MappedColumn[],
  separator: string,
): Drafted {
  if (!bytes) return readDraft({ ...line, bytes, isUnended })
  let fields: string[] | undefined
  try {
    fields = parseRecord(utf8.decode(bytes), separator)
  } catch {
    return reject("malformed-request", "The line is not UTF-8")
  }
  if (!fields) return reject("malformed-request", "The line has an unclosed quote, or one inside a field")
  if (fields.length === columns.length) return validateDraft(fieldsToValue(columns, fields))
  return reject("malformed-request", `The line has ${fields.length} fields, but the first line has ${columns.length}`)
}
