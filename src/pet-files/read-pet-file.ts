import { petBytesMax } from "../core/domain/pets/contract.ts"
import { createYielder } from "../core/kernel/flow/yielder.ts"
import { Problem } from "../core/kernel/problem.ts"
import { openCsv } from "./csv-file.ts"
import { decodeText } from "./decode-text.ts"
import { type Drafted, isBlank, readDraft } from "./draft.ts"
import { readElements } from "./json-array.ts"
import { containsPets, readObjects } from "./json-objects.ts"
import { type Line, readLines } from "./lines.ts"
import { noPets } from "./no-pets.ts"
import type { LineContent, PetFile } from "./pet-file.ts"
import { nameMembers, type ReadOptions } from "./read-options.ts"

/**
 * Opens NDJSON with one JSON object per line, a JSON array, JSON objects over several lines, an object that contains
 * pets, or CSV with column names in the first line. The first line determines the format.
 */
export async function openPetFile(chunks: AsyncIterable<Uint8Array>, options: ReadOptions): Promise<PetFile> {
  const { first, all } = await peek(await decodeText(chunks))
  if (options.titles && /^[[{]/.test(first)) throw noPets("is JSON, which has no columns to name; map its members")
  const read = (line: Line) => readDraft(line, options)
  const names = nameMembers(options)
  if (first === "" || hasLines(first, names))
    return { columns: undefined, lines: readLines(all), read: skipBlank(read) }
  if (first.startsWith("[")) return { columns: undefined, lines: readElements(all), read }
  if (first.startsWith("{")) return { columns: undefined, lines: await startReading(readObjects(all, names)), read }
  return openCsv(all, options)
}

/** The first line that is not blank, or the start of a longer one, and all chunks. */
async function peek(chunks: AsyncIterable<Uint8Array>) {
  const source = chunks[Symbol.asyncIterator]()
  const read: Uint8Array[] = []
  const decoder = new TextDecoder()
  let text = ""
  let isOver = false
  while (!isOver && text.length <= petBytesMax && !text.includes("\n")) {
    const next = await source.next()
    isOver = next.done === true
    if (!next.done) read.push(next.value)
    text = (text + decoder.decode(next.value, { stream: !isOver })).trimStart()
  }
  const all = (async function* () {
    yield* read
    if (!isOver) yield* { [Symbol.asyncIterator]: () => source }
  })()
  const [first = ""] = text.split("\n", 1)
  return { first, all }
}

/** Whether the line is that of a file with an object on each line: not of an object that continues, or that contains pets. */
function hasLines(line: string, names: ReadonlySet<string>): boolean {
  if (!line.startsWith("{") || line.length > petBytesMax || /[[{,]\s*$|\}\s*\{|\r./.test(line)) return false
  return !isJson(line) || !containsPets(line, names)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Raises the problem of a file that contains no pets before it is read. */
async function startReading(lines: AsyncGenerator<Line>): Promise<AsyncIterable<Line>> {
  const first = await lines.next()
  return (async function* () {
    if (!first.done) yield first.value
    yield* lines
  })()
}

const skipBlank =
  (read: (line: Line) => Drafted) =>
  (line: Line): LineContent =>
    isBlank(line) ? { blank: true } : read(line)

/** The lines of a file that are not blank, each with its pet or its rejection. */
type PetLines = Pick<PetFile, "columns"> & {
  lines: AsyncGenerator<{ line: Line } & Drafted>
}

/** Reads all lines that are not blank, each a pet or a rejection. Throws a Problem after `linesMax` lines, records or elements. */
export async function readPetFile(
  chunks: AsyncIterable<Uint8Array>,
  linesMax: number,
  options: ReadOptions,
): Promise<PetLines> {
  const { columns, lines, read } = await openPetFile(chunks, options)
  return { columns, lines: draftEach(lines, read, linesMax) }
}

async function* draftEach(lines: AsyncIterable<Line>, read: PetFile["read"], linesMax: number) {
  const turns = createYielder()
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
