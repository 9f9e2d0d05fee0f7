// Decision: docs/decisions/cli.md#a-batch-is-recorded-before-it-is-sent-its-results-after-the-response

import { closeSync, openSync, readSync, writeSync } from "node:fs"
import { StringDecoder } from "node:string_decoder"
import type { PetDraft } from "../../core/domain/pets/contract.ts"
import { type Clock, timestamp } from "../../core/kernel/clock.ts"
import { UsageError } from "../command/command.ts"
import { openFile } from "./open-file.ts"

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
  /** The flags that decide how the file is read; undefined when there are none. */
  reading?: string | undefined
}

/** A pet as it is sent, with the number and the mark of its line; its bytes, unless it was read from the journal. */
export type SentPet = { line: number; mark: string; draft: PetDraft; bytes?: Uint8Array | undefined }

/** Pets that are sent in one request. */
export type Batch = { key: string; pets: readonly SentPet[] }

/** The batches of an import and their results; a file with one entry per line. */
export type Journal = Identity & {
  /** The number of pets that earlier runs imported. */
  doneBefore: number
  /** Whether an earlier run imported the line with this mark. */
  isDone(mark: string): boolean
  /**
   * Batches without results, which an interrupted run may have sent. The key of a stale one may have expired: sending it again
   * could add its pets twice.
   */
  open: readonly (Batch & { isStale: boolean })[]
  /** The number of the next batch, in the order of recording. */
  nextNumber(): number
  recordBatch(batch: Batch): void
  /** Records the id of each pet of the batch with this key; null for a refused one. */
  recordResults(key: string, ids: readonly (number | null)[]): void
  recordFinished(): void
  close(): void
}

type Entry = {
  batch?: string
  /** When it was recorded (RFC 3339). */
  time?: string
  pets?: readonly SentPet[]
  /** The id of each pet of the batch; null for a refused one. Empty when the results are given up. */
  ids?: readonly (number | null)[]
  finished?: string
}

/** Opens the journal of an import and continues existing entries. Without `path` it is kept in memory only. */
export function openJournal(path: string | undefined, identity: Identity, clock: Clock): Journal {
  const found = path === undefined ? undefined : readJournal(path)
  const earlier = found && isReplaceable(found, identity) ? undefined : found
  const { source, url, store, newIds, reading } = earlier
    ? continueImport(earlier.first, identity, path as string)
    : identity
  const { done = new Set<string>(), open = new Map<string, RecordedBatch>(), batches = 0 } = earlier ?? {}

  const file = path === undefined ? undefined : openFile(path, earlier ? "a" : "w", "--state")
  const write = (entry: Entry | object) => file !== undefined && writeSync(file, `${JSON.stringify(entry)}\n`)
  if (!earlier) write({ import: 2, ...identity })
  else if (earlier.isTorn) writeSync(file as number, "\n")
  let count = batches
  return {
    source,
    url,
    store,
    newIds,
    reading,
    doneBefore: done.size,
    isDone: (mark) => done.has(mark),
    open: [...open.values()].map(({ time, ...batch }) => ({
      ...batch,
      isStale: clock.now() - Date.parse(time) > retentionMs,
    })),
    nextNumber: () => count++,
    recordBatch: ({ key, pets }) =>
      void write({
        batch: key,
        time: timestamp(clock.now()),
        pets: pets.map(({ line, mark, draft }) => ({ line, mark, draft })),
      }),
    recordResults: (key, ids) => void write({ batch: key, ids }),
    recordFinished: () => void write({ finished: timestamp(clock.now()) }),
    close: () => file !== undefined && closeSync(file),
  }
}

function continueImport(first: First, identity: Identity, path: string): Identity {
  const { import: version, source, url, store, newIds, reading } = first
  if (version !== 2) throw new UsageError(`${path} is not the state of an import; name another file with --state`)
  if (url !== identity.url)
    throw new UsageError(`${path} belongs to an import into ${url}; use another --state, or start over with --again`)
  if (store !== undefined && identity.store !== undefined && store !== identity.store)
    throw new UsageError(
      `${path} belongs to an import into an earlier store at ${url}, which was reset or replaced; import into the ` +
        "current one with another --state, or with --again",
    )
  if (newIds !== identity.newIds)
    throw new UsageError(
      `${path} belongs to an import ${newIds ? "with" : "without"} --new-ids; continue it the same way, or start over with --again`,
    )
  if (reading !== identity.reading)
    throw new UsageError(
      `${path} belongs to an import ${reading === undefined ? "without --map and --columns" : `with ${reading}`}; ` +
        "continue it the same way, or start over with --again",
    )
  return { source, url, store, newIds, reading }
}

/** Whether a run in another way can replace a journal, because none of its pets was imported or may have been. */
function isReplaceable({ first, done, open }: Found, identity: Identity): boolean {
  if (first.import !== 2 || done.size > 0 || open.size > 0) return false
  return first.newIds !== identity.newIds || first.reading !== identity.reading
}

type Found = {
  first: First
  /** The marks of imported lines. */
  done: Set<string>
  /** The batches without results, by their keys. */
  open: Map<string, RecordedBatch>
  /** The number of all batches. */
  batches: number
  /** Whether the last entry was truncated when the import was killed. */
  isTorn: boolean
}

type First = Identity & { import?: number }
type RecordedBatch = Batch & { time: string }

/** Reads a journal; ignores a truncated last entry. Undefined when there is none. */
function readJournal(path: string): Found | undefined {
  const file = openExisting(path)
  if (file === undefined) return undefined
  const done = new Set<string>()
  const open = new Map<string, RecordedBatch>()
  let [batches, isTorn] = [0, false]
  let first: First | undefined
  try {
    for (const { text, isEnded } of readLinesOf(file)) {
      isTorn = !isEnded
      const entry = parseEntry(text)
      first ??= (entry ?? {}) as First
      const { batch: key, time = "", pets, ids } = entry ?? {}
      if (key !== undefined && pets) {
        batches += 1
        open.set(key, { key, time, pets })
      }
      if (key === undefined || !ids) continue
      for (const [n, { mark }] of open.get(key)?.pets.entries() ?? []) if (typeof ids[n] === "number") done.add(mark)
      open.delete(key)
    }
  } finally {
    closeSync(file)
  }
  return first && { first, done, open, batches, isTorn }
}

function openExisting(path: string): number | undefined {
  try {
    return openSync(path, "r")
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw error
  }
}

const chunkBytes = 1024 * 1024

/** The lines of a file, which may be longer than a string; the last one may lack its end. */
function* readLinesOf(file: number): Generator<{ text: string; isEnded: boolean }> {
  const decoder = new StringDecoder("utf8")
  const chunk = Buffer.alloc(chunkBytes)
  let rest = ""
  for (let count = readSync(file, chunk); count > 0; count = readSync(file, chunk)) {
    const lines = (rest + decoder.write(chunk.subarray(0, count))).split("\n")
    rest = lines.pop() ?? ""
    for (const text of lines) yield { text, isEnded: true }
  }
  if (rest !== "") yield { text: rest, isEnded: false }
}

function parseEntry(line: string): Entry | undefined {
  try {
    return line === "" ? undefined : JSON.parse(line)
  } catch {
    return undefined
  }
}
