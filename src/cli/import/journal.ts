// Decision: docs/decisions/cli.md#the-state-of-an-import-is-written-after-the-response-never-before

import { closeSync, fstatSync, openSync, readFileSync, writeSync } from "node:fs"
import { type Clock, timestamp } from "../../kernel/clock.ts"
import { UsageError } from "../command.ts"

/** Retention of idempotency keys in the service, less an hour for clock skew. */
const retentionMs = 23 * 60 * 60 * 1000

/** Identifies an import. A run with the same identity continues it; others are refused. */
type Identity = {
  /** Part of every Idempotency-Key. */
  source: string
  url: string
  /** Identity of the target store; undefined when the service does not report it. */
  store?: string | undefined
  newIds: boolean
}

/** The outcome of each line so far, by the line's mark; a file with one entry per line. */
export type Journal = ReturnType<typeof openJournal>

type Entry = { done?: string; refused?: string; doubtful?: string; finished?: string }

/** Opens the journal of an import and continues existing entries. Without `path` it is kept in memory only. */
export function openJournal(path: string | undefined, identity: Identity, clock: Clock) {
  const marks = { done: new Set<string>(), refused: new Set<string>(), doubtful: new Set<string>() }
  const earlier = path === undefined ? undefined : readJournal(path)
  const continued = earlier ? continueImport(earlier.entries, identity, path as string) : identity
  let isFinished = true
  for (const entry of (earlier?.entries.slice(1) ?? []) as Entry[]) {
    isFinished = entry.finished !== undefined
    for (const kind of ["done", "refused", "doubtful"] as const) if (entry[kind]) marks[kind].add(entry[kind])
  }

  const file = path === undefined ? undefined : openSync(path, "a")
  const write = (entry: object) => file !== undefined && writeSync(file, `${JSON.stringify(entry)}\n`)
  if (!earlier) write({ import: 1, ...identity })
  else if (earlier.isTorn) writeSync(file as number, "\n")
  return {
    ...continued,
    /** Whether the idempotency keys of unfinished lines may have expired, so that resending could store a line twice. */
    isStale: earlier !== undefined && !isFinished && clock.now() - earlier.changedAt > retentionMs,
    doneBefore: marks.done.size,
    isDone: (mark: string) => marks.done.has(mark),
    wasRefused: (mark: string) => marks.refused.has(mark),
    isDoubtful: (mark: string) => marks.doubtful.has(mark),
    recordDone: (mark: string, line: number, id: number) => void write({ done: mark, line, id }),
    recordRefused: (mark: string) => void write({ refused: mark }),
    recordDoubtful: (mark: string) => void write({ doubtful: mark }),
    recordFinished: () => void write({ finished: timestamp(clock.now()) }),
    close: () => file !== undefined && closeSync(file),
  }
}

function continueImport([first]: unknown[], identity: Identity, path: string): Identity {
  const { import: version, source, url, store, newIds } = (first ?? {}) as Identity & { import?: number }
  if (version !== 1) throw new UsageError(`${path} is not the state of an import; name another file with --state`)
  if (url !== identity.url)
    throw new UsageError(`${path} belongs to an import into ${url}; use another --state, or start over with --again`)
  if (store !== undefined && identity.store !== undefined && store !== identity.store)
    throw new UsageError(
      `${path} belongs to an import into an earlier store at ${url}, which was reset or replaced; import into the ` +
        "current one with another --state, or with --again",
    )
  if (newIds !== identity.newIds)
    throw new UsageError(
      `${path} belongs to an import ${newIds ? "with" : "without"} --new-ids; continue it the same way`,
    )
  return { source, url, store, newIds }
}

/** Reads the entries of a journal; ignores a last entry that was truncated when the import was killed. */
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
