// Decision: docs/decisions/storage-sqlite.md#the-service-flushes-the-log-itself-off-the-event-loop

import { closeSync, fdatasync, openSync } from "node:fs"
import { dirname } from "node:path"
import type { DatabaseSync } from "node:sqlite"
import { promisify } from "node:util"
import { syncDirectory } from "../disk/private.ts"

const sync = promisify(fdatasync)

/** Flushes SQLite's files to the disk on libuv's threads. Rejects with the system's error. */
export type Disk = {
  /** Everything committed to the write-ahead log before the call. */
  syncLog(): Promise<void>
  /** Everything a checkpoint copied into the database before the call. */
  syncDatabase(): Promise<void>
  close(): void
}

/**
 * Opens the files of a database with a write-ahead log. They stay open, because Linux reports a page that could not be written
 * only to processes that had the file open. Close them after all connections: closing a file releases the process's locks on it
 * (fcntl(2)).
 */
export function openDisk(db: DatabaseSync): Disk {
  // Links are resolved, as SQLite names the log.
  const file = db.location() as string
  const log = openSync(`${file}-wal`, "r+")
  const database = openSync(file, "r+")
  syncDirectory(dirname(file))
  return {
    syncLog: () => sync(log),
    syncDatabase: () => sync(database),
    close() {
      closeSync(log)
      closeSync(database)
    },
  }
}

/** Ends the process without responses, because it is unknown which commits are on the disk. The next start recovers them. */
export function endProcess(error: unknown): void {
  setImmediate(() => {
    throw error
  })
}
