import { createHash, hash, randomUUID } from "node:crypto"
import { createReadStream } from "node:fs"
import { type Drafted, isBlank, readDraft } from "./draft.ts"
import { type Line, readLines } from "./lines.ts"

const linesMax = 10_000_000
const markLength = 22

/** What an import reads, and what is known about it beforehand. */
type Source = {
  chunks(): AsyncIterable<Uint8Array>
  /** The same for the same bytes; for standard input, whose bytes are not known, a random one. */
  fingerprint: string
  /** How many lines there are, or undefined when that is known only at the end. */
  lines: number | undefined
}

/** A file is read twice: once for its fingerprint and length, once for its lines. `-` is standard input, read once. */
export async function openSource(file: string, stdin: AsyncIterable<Uint8Array>): Promise<Source> {
  if (file === "-") return { chunks: () => stdin, fingerprint: randomUUID(), lines: undefined }
  const digest = createHash("sha256")
  let lines = 0
  let last = 0x0a
  for await (const chunk of createReadStream(file) as AsyncIterable<Uint8Array>) {
    digest.update(chunk)
    for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, at + 1)) lines += 1
    last = chunk.at(-1) as number
  }
  return {
    chunks: () => createReadStream(file),
    fingerprint: digest.digest("base64url").slice(0, markLength),
    lines: last === 0x0a ? lines : lines + 1,
  }
}

/** A line, its mark, and the pet on it; a blank line has none. */
export type Marked = { line: Line; mark: string } & (Drafted | { blank: true })

/**
 * Every line with its mark: the hash of its bytes, and the ordinal among equal lines. So a line keeps its mark when other
 * lines are added, corrected or removed, and each of several equal lines is a pet of its own.
 */
export async function* markLines(source: Source): AsyncGenerator<Marked> {
  const seen = new Map<string, number>()
  for await (const line of readLines(source.chunks())) {
    if (line.number > linesMax) throw new RangeError(`more than ${linesMax} lines; split the file`)
    if (isBlank(line)) yield { line, mark: "", blank: true }
    else {
      const digest = hash("sha256", line.bytes ?? `line ${line.number}`, "base64url").slice(0, markLength)
      const nth = (seen.get(digest) ?? 0) + 1
      seen.set(digest, nth)
      yield { line, mark: nth === 1 ? digest : `${digest}.${nth}`, ...readDraft(line) }
    }
  }
}
