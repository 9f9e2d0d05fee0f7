import type { DatabaseSync, StatementSync } from "node:sqlite"
import { StoreUnavailable } from "../../domain/ports.ts"
import { toStoreError } from "./connection.ts"
import type { Disk } from "./disk.ts"

/** How many frames, a page each, the log holds before they are copied into the database: 4 MB. */
export const framesMax = 1000

/**
 * Copies the write-ahead log into the database, so that the log starts over, and waits for the disk off the event loop. Both
 * files have to be on the disk in the right order: the log before it is copied, the database before the log is written over.
 * SQLite would see to that inside the checkpoint, which holds up the event loop. Here it is told not to, because it is known:
 * every commit is on the disk before `run` is called, and no transaction begins before it has ended.
 */
export function createCheckpoint(writer: DatabaseSync, disk: Pick<Disk, "syncDatabase">) {
  // An SQLite before 3.51 takes NOOP for PASSIVE, which is slower and as safe.
  const measure = writer.prepare("PRAGMA wal_checkpoint(NOOP)")
  const copy = writer.prepare("PRAGMA wal_checkpoint(PASSIVE)")
  /** What could not be copied because a tool is reading an older state. */
  let left = 0

  return {
    /** Whether the log is due to be copied. */
    isDue: (): boolean => framesToCopy(measure) - left >= framesMax,

    /** To be called outside of transactions, when every commit is on the disk and nobody reads. */
    async run(): Promise<void> {
      writer.exec("PRAGMA synchronous = OFF")
      try {
        left = framesToCopy(copy)
      } finally {
        writer.exec("PRAGMA synchronous = NORMAL")
      }
      await disk.syncDatabase()
    },
  }
}

/** How many frames are yet to be copied after the statement; none when it cannot be told now. */
function framesToCopy(statement: StatementSync): number {
  try {
    const { log, checkpointed } = statement.get() as { log: number; checkpointed: number }
    return log - checkpointed
  } catch (error) {
    if (toStoreError(error) instanceof StoreUnavailable) return 0
    throw error
  }
}
