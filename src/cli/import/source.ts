import { createHash, randomUUID } from "node:crypto"
import { createReadStream } from "node:fs"
import { Problem } from "../../core/kernel/problem.ts"
import type { Line } from "../../pet-files/lines.ts"
import { createMarker, markLength } from "../../pet-files/mark.ts"
import type { LineContent } from "../../pet-files/pet-file.ts"
import type { ReadOptions } from "../../pet-files/read-options.ts"
import { openPetFile } from "../../pet-files/read-pet-file.ts"
import { UsageError } from "../command/command.ts"
import { describeFileError } from "../command/file-error.ts"

export type ImportSource = {
  chunks(): AsyncIterable<Uint8Array>
  /** Hash of the file; random for standard input. */
  fingerprint: string
  /** Number of lines; undefined for standard input. */
  lines: number | undefined
}

/** Opens a file, which is read twice: for its fingerprint and length, and for its lines. `-` is standard input, read once. */
export async function openSource(file: string, stdin: AsyncIterable<Uint8Array>): Promise<ImportSource> {
  if (file === "-") return { chunks: () => stdin, fingerprint: randomUUID(), lines: undefined }
  const digest = createHash("sha256")
  let [feeds, returns] = [0, 0]
  let last = lineFeed
  for await (const chunk of readFrom(file)) {
    digest.update(chunk)
    feeds += countIn(chunk, lineFeed)
    returns += countIn(chunk, carriageReturn)
    last = chunk.at(-1) as number
  }
  const lines = Math.max(feeds, returns)
  return {
    chunks: () => createReadStream(file),
    fingerprint: digest.digest("base64url").slice(0, markLength),
    lines: last === lineFeed || last === carriageReturn ? lines : lines + 1,
  }
}

async function* readFrom(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file) as AsyncIterable<Uint8Array>
  } catch (error) {
    throw new UsageError(`the file cannot be read: ${describeFileError(file, error)}`)
  }
}

const [lineFeed, carriageReturn] = [0x0a, 0x0d]

function countIn(chunk: Uint8Array, byte: number): number {
  let count = 0
  for (let at = chunk.indexOf(byte); at !== -1; at = chunk.indexOf(byte, at + 1)) count += 1
  return count
}

export type MarkedLine = { line: Line; mark: string } & LineContent

/** The column mapping of a CSV file, and all lines with marks made from their bytes. Throws UsageError. */
export async function readSource(source: Pick<ImportSource, "chunks">, options: ReadOptions, linesMax = 10_000_000) {
  try {
    const { columns, lines, read } = await openPetFile(source.chunks(), options)
    return { columns, lines: markLines(lines, read, linesMax) }
  } catch (error) {
    throw error instanceof Problem ? new UsageError(error.detail) : error
  }
}

async function* markLines(
  lines: AsyncIterable<Line>,
  read: (line: Line) => LineContent,
  linesMax: number,
): AsyncGenerator<MarkedLine> {
  const mark = createMarker()
  for await (const line of lines) {
    if (line.number > linesMax) throw new RangeError(`more than ${linesMax} lines; split the file`)
    const found = read(line)
    yield { line, mark: "blank" in found ? "" : mark(line.bytes ?? `line ${line.number}`), ...found }
  }
}
