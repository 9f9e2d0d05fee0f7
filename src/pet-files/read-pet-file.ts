import { takeTurns } from "../kernel/flow/turns.ts"
import { Problem } from "../kernel/problem.ts"
import { fieldsToValue, type MappedColumn, mapColumns } from "./csv-columns.ts"
import { parseRecord, readRecords } from "./csv-records.ts"
import { type Drafted, isBlank, judgeDraft, readDraft, reject } from "./draft.ts"
import { readElements } from "./json-array.ts"
import { type Line, readLines } from "./lines.ts"

/** What is on a line: a pet, why there is none, or nothing. */
export type LineContent = Drafted | { blank: true }

/** A file of pets: its lines, records or elements, and how each is read. */
type PetFile = {
  /** How its columns are taken, when it is CSV. */
  columns: readonly MappedColumn[] | undefined
  lines: AsyncIterable<Line>
  read(line: Line): LineContent
}

/**
 * Opens NDJSON, one JSON object a line, a JSON array, or CSV with the names of its columns on the first line: the first
 * character tells.
 */
export async function openPetFile(chunks: AsyncIterable<Uint8Array>): Promise<PetFile> {
  const source = chunks[Symbol.asyncIterator]()
  const first = await source.next()
  const whole = (async function* () {
    for (let next = first; !next.done; next = await source.next()) yield next.value
  })()
  const beginning = first.done ? "{" : new TextDecoder().decode(first.value.subarray(0, 1024)).trimStart()
  if (beginning.startsWith("[")) return { columns: undefined, lines: readElements(whole), read: readDraft }
  if (beginning.startsWith("{")) return { columns: undefined, lines: readLines(whole), read: skipBlank(readDraft) }

  const records = readRecords(whole)
  const header = await records.next()
  const { separator, columns } = readHeader(header.done ? undefined : header.value.bytes)
  return { columns, lines: records, read: skipBlank((line) => readCsvDraft(line, columns, separator)) }
}

const skipBlank =
  (read: (line: Line) => Drafted) =>
  (line: Line): LineContent =>
    isBlank(line) ? { blank: true } : read(line)

/** Reads every line that is not blank, with its pet or why it has none. Throws a Problem behind `linesMax` lines, records or elements. */
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
      throw new Problem("body-too-large", `A file may have ${linesMax} lines here, blank ones included. Split it`)
    // Lines come from memory, many in a row, without anything to wait for.
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
  if (titles && titles.length > columnsMax) throw noPets(`has ${titles.length} columns; there may be ${columnsMax}`)
  const columns = mapColumns(titles ?? [])
  if (columns.some(({ column }) => column === "name")) return { separator, columns }
  throw noPets("must be NDJSON, a JSON array, or CSV whose first line names the columns, one of them name")
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
  if (!fields) return reject("malformed-request", "The line has a quote that is not closed, or one inside a field")
  if (fields.length === columns.length) return judgeDraft(fieldsToValue(columns, fields))
  return reject("malformed-request", `The line has ${fields.length} fields, the first line has ${columns.length}`)
}
