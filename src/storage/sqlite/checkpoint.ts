// Decision: docs/decisions/storage-sqlite.md#checkpoints-copy-on-the-event-loop-and-flush-off-it

import type { DatabaseSync, StatementSync } from "node:sqlite"
import { StoreUnavailable } from "../../domain/ports/store.ts"
import { gauge } from "../../kernel/measure.ts"
import { toSqliteError } from "./connection.ts"
import type { Disk } from "./disk.ts"
import { lastingReason } from "./watch-writes.ts"

/** Frames of one page in the log before they are copied into the database: 4 MB. */
export const framesMax = 1000
/** After a failure, unless the log grows by as many frames again. */
const retryMs = 5_000

type CheckpointDeps = {
  disk: Pick<Disk, "syncDatabase">
  /** Called with the reason when copying starts to fail, and with undefined when it works again. */
  report(reason: string | undefined): void
}

/**
 * Copies the write-ahead log into the database, so that the log starts over, and waits for the disk off the event loop. The log
 * must be durable before it is copied, and the database before the log is overwritten. SQLite would ensure that inside the
 * checkpoint, which blocks the event loop. Synchronous is off for it: every commit is durable before `run` is called, and no
 * transaction starts before it ends.
 */
export function createCheckpoint(writer: DatabaseSync, { disk, report }: CheckpointDeps) {
  // Before SQLite 3.51, NOOP means PASSIVE, which is slower and as safe.
  const measure = writer.prepare("PRAGMA wal_checkpoint(NOOP)")
  const copy = writer.prepare("PRAGMA wal_checkpoint(PASSIVE)")
  /** Frames that could not be copied, because a tool reads an older state or the machine failed. */
  let left = 0
  /** Why the last copy failed; the log grows meanwhile, and nothing is lost. */
  let failure: string | undefined
  let isPausing = false

  function noteFailure(reason: string): void {
    if (failure === undefined) report(reason)
    failure = reason
    left = read(measure).left
    isPausing = true
    setTimeout(() => {
      isPausing = false
    }, retryMs).unref()
  }

  return {
    isDue(): boolean {
      const frames = read(measure).left
      // On a full disk the reserve empties the log, too.
      left = Math.min(left, frames)
      return frames - left >= framesMax || (failure !== undefined && !isPausing)
    },

    /** The end of the log, which changes with every commit that writes. Undefined when unknown. */
    position: (): string | undefined => read(measure).end,

    /** Called outside of transactions, when every commit is durable and nothing reads. */
    async run(): Promise<void> {
      let copied: ReturnType<typeof read>
      writer.exec("PRAGMA synchronous = OFF")
      try {
        copied = read(copy)
      } finally {
        writer.exec("PRAGMA synchronous = NORMAL")
      }
      left = copied.left
      if (copied.reason !== undefined) return noteFailure(copied.reason)
      await disk.syncDatabase()
      if (failure !== undefined) report(undefined)
      failure = undefined
    },

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

/** The frames left to copy, and the end of the log. When the machine fails these are unknown; `reason` says why unless it is temporary. */
function read(statement: StatementSync): { left: number; end?: string; reason?: string | undefined } {
  try {
    const { log, checkpointed } = statement.get() as { log: number; checkpointed: number }
    return { left: log - checkpointed, end: `${log} ${checkpointed}` }
  } catch (error) {
    if (!(toSqliteError(error) instanceof StoreUnavailable)) throw error
    return { left: 0, reason: lastingReason(error) }
  }
}
