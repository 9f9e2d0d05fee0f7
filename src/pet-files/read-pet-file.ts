import { takeTurns } from "../kernel/flow/turns.ts"
import { Problem } from "../kernel/problem.ts"
import { openCsv } from "./csv-file.ts"
import { type Drafted, isBlank, readDraft } from "./draft.ts"
import { readElements } from "./json-array.ts"
import { type Line, readLines } from "./lines.ts"
import type { LineContent, PetFile } from "./pet-file.ts"
import type { ReadOptions } from "./read-options.ts"

/**
 * Opens NDJSON with one JSON object per line, a JSON array, or CSV with column names in the first line. The first character
 * determines the format.
 */
export async function openPetFile(chunks: AsyncIterable<Uint8Array>, options: ReadOptions): Promise<PetFile> {
  const source = chunks[Symbol.asyncIterator]()
  const first = await source.next()
  const restored = (async function* () {
    for (let next = first; !next.done; next = await source.next()) yield next.value
  })()
  const read = (line: Line) => readDraft(line, options)
  const beginning = first.done ? "{" : new TextDecoder().decode(first.value.subarray(0, 1024)).trimStart()
  if (beginning.startsWith("[")) return { columns: undefined, lines: readElements(restored), read }
  if (beginning.startsWith("{")) return { columns: undefined, lines: readLines(restored), read: skipBlank(read) }

  return openCsv(restored, options)
}

const skipBlank =
  (read: (line: Line) => Drafted) =>
  (line: Line): LineContent =>
    isBlank(line) ? { blank: true } : read(line)

/** Reads all lines that are not blank, each a pet or a rejection. Throws a Problem after `linesMax` lines, records or elements. */
export async function readPetFile(chunks: AsyncIterable<Uint8Array>, linesMax: number, options: ReadOptions) {
  const { columns, lines, read } = await openPetFile(chunks, options)
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
