import type { DatabaseSync, StatementSync } from "node:sqlite"
import { StoreUnavailable } from "../../domain/ports/store.ts"
import { gauge } from "../../kernel/measure.ts"
import { toStoreError } from "./connection.ts"
import type { Disk } from "./disk.ts"
import { lastingReason } from "./watch-writes.ts"

/** How many frames, a page each, the log holds before they are copied into the database: 4 MB. */
export const framesMax = 1000
/** How long to wait after a failure, unless the log grows by as many frames again. */
const retryMs = 5_000

type Parts = {
  disk: Pick<Disk, "syncDatabase">
  /** Called with the reason when copying begins to fail, and with undefined when it succeeds again. */
  tell(reason: string | undefined): void
}

/**
 * Copies the write-ahead log into the database, so that the log starts over, and waits for the disk off the event loop. Both
 * files have to be on the disk in the right order: the log before it is copied, the database before the log is written over.
 * SQLite would see to that inside the checkpoint, which holds up the event loop. Here it is told not to, because it is known:
 * every commit is on the disk before `run` is called, and no transaction begins before it has ended.
 */
export function createCheckpoint(writer: DatabaseSync, { disk, tell }: Parts) {
  // An SQLite before 3.51 takes NOOP for PASSIVE, which is slower and as safe.
  const measure = writer.prepare("PRAGMA wal_checkpoint(NOOP)")
  const copy = writer.prepare("PRAGMA wal_checkpoint(PASSIVE)")
  /** What could not be copied because a tool is reading an older state, or the machine failed. */
  let left = 0
  /** Why the last copy failed; the log grows meanwhile, and nothing is lost. */
  let failure: string | undefined
  let isPausing = false

  function noteFailure(reason: string): void {
    if (failure === undefined) tell(reason)
    failure = reason
    left = framesToCopy(measure)
    isPausing = true
    setTimeout(() => {
      isPausing = false
    }, retryMs).unref()
  }

  function noteSuccess(): void {
    if (failure !== undefined) tell(undefined)
    failure = undefined
  }

  return {
    /** Whether the log is due to be copied. */
    isDue(): boolean {
      const frames = framesToCopy(measure)
      // On a full disk the reserve empties the log as well.
      left = Math.min(left, frames)
      return frames - left >= framesMax || (failure !== undefined && !isPausing)
    },

    /**
     * Where the log ends: the same before a transaction and after its commit only if it wrote nothing, because a log that starts
     * over has nothing copied. Undefined when it cannot be told now.
     */
    position(): string | undefined {
      const found = read(measure)
      return found && `${found.log} ${found.checkpointed}`
    },

    /** To be called outside of transactions, when every commit is on the disk and nobody reads. */
    async run(): Promise<void> {
      let reason: string | undefined
      writer.exec("PRAGMA synchronous = OFF")
      try {
        left = framesToCopy(copy, (failed) => {
          reason = failed
        })
      } finally {
        writer.exec("PRAGMA synchronous = NORMAL")
      }
      if (reason !== undefined) return noteFailure(reason)
      await disk.syncDatabase()
      noteSuccess()
    },

    /** What does not work: copying, while the last attempt has failed. */
    degraded: (): readonly string[] => (failure === undefined ? [] : ["checkpoint"]),

    metrics: [
      gauge(
        "petstore_database_checkpoint_failing",
        "1 while the write-ahead log cannot be copied into the database",
        () => (failure === undefined ? 0 : 1),
      ),
    ],
  }
}

/** How many frames are yet to be copied after the statement; none when it cannot be told now. */
function framesToCopy(statement: StatementSync, failed?: (reason: string) => void): number {
  const found = read(statement, failed)
  return found ? found.log - found.checkpointed : 0
}

/** Undefined when the machine failed; `failed` is called with why, unless that passes by itself. */
function read(statement: StatementSync, failed: (reason: string) => void = () => {}) {
  try {
    return statement.get() as { log: number; checkpointed: number }
  } catch (error) {
    if (!(toStoreError(error) instanceof StoreUnavailable)) throw error
    const reason = lastingReason(error)
    if (reason !== undefined) failed(reason)
    return undefined
  }
}
