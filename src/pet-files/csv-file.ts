import { visible } from "../core/kernel/visible.ts"
import { fieldsToValue, type MappedColumn, mapColumns } from "./csv-columns.ts"
import { separatorIn } from "./csv-lists.ts"
import { parseRecord, readRecords } from "./csv-records.ts"
import { isBlank, readDraft, reject, validateDraft } from "./draft.ts"
import { excerptOf, type Line } from "./lines.ts"
import { noPets } from "./no-pets.ts"
import type { LineContent, PetFile } from "./pet-file.ts"
import type { ReadOptions } from "./read-options.ts"

const columnsMax = 100
const separators = [",", ";", "\t", "|"]

/** Opens CSV with column names in the first line that is not blank. A line `sep=;` before it, as spreadsheets write, is skipped. */
export async function openCsv(chunks: AsyncIterable<Uint8Array>, options: ReadOptions): Promise<PetFile> {
  const records = readRecords(chunks)
  let header = await nextOf(records)
  const declared = header && /^\ufeff?"?sep=([,;\t|])"?$/.exec(excerptOf(header))?.[1]
  if (declared) header = await nextOf(records)
  const text = header?.bytes && new TextDecoder().decode(header.bytes)
  const separator = declared ?? separatorOf(text ?? "")
  const sample = await readSample(records)
  if (options.titles && header) sample.unshift(header)
  const columns = readHeader(text, separator, options).map((column, n) => addTagSeparator(column, n, sample, separator))
  return {
    columns,
    lines: chain(sample, records),
    read: (line) => readRecord(line, { columns, separator, options }),
  }
}

const sampleRecordsMax = 1_000
const sampleBytesMax = 256 * 1024

/** The first records, which tell the separator of tags. */
async function readSample(records: AsyncGenerator<Line>): Promise<Line[]> {
  const sample: Line[] = []
  let bytes = 0
  while (sample.length < sampleRecordsMax && bytes < sampleBytesMax) {
    const { value, done } = await records.next()
    if (done) break
    sample.push(value)
    bytes += value.bytes?.length ?? 0
  }
  return sample
}

function addTagSeparator(mapped: MappedColumn, n: number, sample: readonly Line[], separator: string): MappedColumn {
  if (mapped.column !== "tags") return mapped
  const decoder = new TextDecoder()
  const texts = sample.map(({ bytes }) => (bytes && parseRecord(decoder.decode(bytes), separator)?.[n]) ?? "")
  return { ...mapped, separator: separatorIn(texts) }
}

async function* chain(sample: readonly Line[], records: AsyncIterable<Line>): AsyncGenerator<Line> {
  yield* sample
  yield* records
}

/** The next record that is not blank. */
async function nextOf(records: AsyncGenerator<Line>): Promise<Line | undefined> {
  for (;;) {
    const { value, done } = await records.next()
    if (done) return undefined
    if (!isBlank(value)) return value
  }
}

function separatorOf(text: string): string {
  const unquoted = text.replace(/"[^"]*"/g, "")
  const count = (separator: string) => unquoted.split(separator).length
  return separators.reduce((best, each) => (count(each) > count(best) ? each : best))
}

function readHeader(
  text: string | undefined,
  separator: string,
  { titles: declared, map }: ReadOptions,
): MappedColumn[] {
  const titlesInFile = text === undefined ? undefined : parseRecord(text, separator)
  if (titlesInFile && titlesInFile.length > columnsMax)
    throw noPets(`has ${titlesInFile.length} columns; the maximum is ${columnsMax}`)
  const titles = declared ?? titlesInFile ?? []
  const columns = mapColumns(titles, map)
  const absent = [...(map?.keys() ?? [])].find((title) => !titles.some((each) => each.trim() === title))
  if (absent !== undefined)
    throw noPets(`has no column ${JSON.stringify(absent)}; its columns are ${visible(titles.join(", "))}`)
  if (declared && titlesInFile?.some((title) => title.toLowerCase() === "name"))
    throw noPets("has column names in its first line; map them, or remove the line, instead of naming the columns")
  if (columns.some(({ column }) => column === "name")) return columns
  if (declared) throw noPets("needs a column name among those that you name")
  if (text?.includes("\0")) throw noPets("is binary, not text: export the pets as CSV, NDJSON or JSON")
  const found = text === undefined ? "" : `. Its first line is ${visible(JSON.stringify(text.slice(0, excerptMax)))}`
  throw noPets(
    `must be NDJSON, a JSON array, or CSV with column names in the first line, including name${found}. ` +
      "If that is a pet, name the columns; if it has titles, map one to name",
  )
}

const excerptMax = 80

const utf8 = new TextDecoder("utf-8", { fatal: true })

type Layout = { columns: readonly MappedColumn[]; separator: string; options: ReadOptions }

function readRecord(line: Line, { columns, separator, options }: Layout): LineContent {
  if (isBlank(line)) return { blank: true }
  if (!line.bytes) return readDraft(line, options)
  let text: string
  try {
    text = utf8.decode(line.bytes)
  } catch {
    return reject("malformed-request", "The line is not UTF-8")
  }
  if (/^[\s,;|]*$/.test(text)) return { blank: true }
  const fields = parseRecord(text, separator)
  if (!fields) return reject("malformed-request", "The line has an unclosed quote, or one inside a field")
  if (fields.every((field) => field === "")) return { blank: true }
  // Spreadsheets write empty cells after the last column, and none for the last columns of a row.
  if (fields.slice(columns.length).every((field) => field === ""))
    return validateDraft(fieldsToValue(columns, fields), options)
  return reject("malformed-request", `The line has ${fields.length} fields, but there are ${columns.length} columns`)
}
