import { closeSync, fdatasync, openSync } from "node:fs"
import { dirname } from "node:path"
import type { DatabaseSync } from "node:sqlite"
import { promisify } from "node:util"
import { syncDirectory } from "../disk/private.ts"

const sync = promisify(fdatasync)

/** Puts what SQLite has written to its files on the disk, on libuv's threads. Rejects with the system's error. */
export type Disk = {
  /** All that was committed to the write-ahead log before the call. */
  syncLog(): Promise<void>
  /** All that a checkpoint has copied into the database before the call. */
  syncDatabase(): Promise<void>
  close(): void
}

/**
 * Opens the files of a database that has a write-ahead log. They are open throughout, because Linux reports a page that
 * could not be written to those who had the file open. To be closed after every connection: closing a file ends all locks
 * that the process holds on it (fcntl(2)).
 */
export function openDisk(db: DatabaseSync): Disk {
  // With links resolved, as SQLite names the log.
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

/**
 * Ends the process, because it is not known what the disk has of the last commits: their callers hear nothing, as after a
 * crash, and the next start takes over what is there.
 */
export function endProcess(error: unknown): void {
  setImmediate(() => {
    throw error
  })
}
