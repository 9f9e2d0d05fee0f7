import { closeSync, fstatSync, openSync, readFileSync, writeSync } from "node:fs"
import { type Clock, timestamp } from "../../kernel/clock.ts"
import { UsageError } from "../command.ts"

/** How long the service keeps the response of an Idempotency-Key, less an hour for clocks that differ. */
const keptMs = 23 * 60 * 60 * 1000

/** What makes two runs the same import: the same one is continued, another one is refused. */
type Identity = {
  /** Names the import in every Idempotency-Key. */
  source: string
  url: string
  /** Which store the lines go to; undefined for a service that does not say. */
  store?: string | undefined
  newIds: boolean
}

/** What happened to each line so far, by the line's mark; kept in a file, one entry per line. */
export type Journal = ReturnType<typeof openJournal>

type Entry = { done?: string; refused?: string; doubtful?: string; finished?: string }

/** Opens the journal of an import, continuing what it holds; `path` undefined keeps it in memory alone. */
export function openJournal(path: string | undefined, wanted: Identity, clock: Clock) {
  const known = { done: new Set<string>(), refused: new Set<string>(), doubtful: new Set<string>() }
  const earlier = path === undefined ? undefined : readJournal(path)
  const identity = earlier ? continueImport(earlier.entries, wanted, path as string) : wanted
  let isFinished = true
  for (const entry of (earlier?.entries.slice(1) ?? []) as Entry[]) {
    isFinished = entry.finished !== undefined
    for (const kind of ["done", "refused", "doubtful"] as const) if (entry[kind]) known[kind].add(entry[kind])
  }

  const file = path === undefined ? undefined : openSync(path, "a")
  const write = (entry: object) => file !== undefined && writeSync(file, `${JSON.stringify(entry)}\n`)
  if (!earlier) write({ import: 1, ...wanted })
  else if (earlier.isTorn) writeSync(file as number, "\n")
  return {
    ...identity,
    /** Whether lines with an unknown response were sent so long ago that sending them again could store them twice. */
    isStale: earlier !== undefined && !isFinished && clock.now() - earlier.changedAt > keptMs,
    doneBefore: known.done.size,
    isDone: (mark: string) => known.done.has(mark),
    wasRefused: (mark: string) => known.refused.has(mark),
    isDoubtful: (mark: string) => known.doubtful.has(mark),
    recordDone: (mark: string, line: number, id: number) => void write({ done: mark, line, id }),
    recordRefused: (mark: string) => void write({ refused: mark }),
    recordDoubtful: (mark: string) => void write({ doubtful: mark }),
    recordFinished: () => void write({ finished: timestamp(clock.now()) }),
    close: () => file !== undefined && closeSync(file),
  }
}

function continueImport([first]: unknown[], wanted: Identity, path: string): Identity {
  const { import: version, source, url, store, newIds } = (first ?? {}) as Identity & { import?: number }
  if (version !== 1) throw new UsageError(`${path} is not the state of an import; name another file with --state`)
  if (url !== wanted.url)
    throw new UsageError(`${path} belongs to an import into ${url}; use another --state, or begin anew with --again`)
  if (store !== undefined && wanted.store !== undefined && store !== wanted.store)
    throw new UsageError(
      `${path} belongs to an import into the store that was at ${url} before, which was reset or replaced; import into the ` +
        "present one with another --state, or with --again",
    )
  if (newIds !== wanted.newIds)
    throw new UsageError(`${path} belongs to an import ${newIds ? "with" : "without"} --new-ids; continue it likewise`)
  return { source, url, store, newIds }
}

/** The entries of a journal; a last entry that was cut off when the import ended is ignored. */
function readJournal(path: string): { entries: unknown[]; changedAt: number; isTorn: boolean } | undefined {
  let file: number
  try {
    file = openSync(path, "r")
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw error
  }
  try {
    const text = readFileSync(file, "utf8")
    if (text === "") return undefined
    return {
      entries: text.split("\n").flatMap(parseEntry),
      changedAt: fstatSync(file).mtimeMs,
      isTorn: !text.endsWith("\n"),
    }
  } finally {
    closeSync(file)
  }
}

function parseEntry(line: string): unknown[] {
  try {
    return line === "" ? [] : [JSON.parse(line)]
  } catch {
    return []
  }
}
