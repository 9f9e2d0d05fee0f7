// Decision: docs/decisions/storage-sqlite.md#one-process-per-database

import { realpathSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { makePrivateFile } from "../disk/private.ts"
import { CannotStart } from "../kernel/cannot-start.ts"

/** A tool such as `sqlite3` may use the database for this time during a start. */
const waitMs = 1_000

/**
 * Makes this process the only user of an existing database: takes an operating-system lock on a file beside it, under the
 * database's real name, which ends with the process. Then requires that no process has the database open, under any name, even
 * if the lock file was removed. Returns how to unlock; until then the caller keeps a connection open.
 */
export function lockDatabase(file: string): () => void {
  const unlock = lockFile(`${realpathSync(file)}.lock`)
  if (!unlock) throw inUseError(file)
  try {
    requireUnused(file)
  } catch (error) {
    unlock()
    throw error
  }
  return unlock
}

/**
 * Locks a file, created as needed, until the process ends. Returns how to unlock; undefined when another process holds the
 * lock.
 */
export function lockFile(file: string): (() => void) | undefined {
  makePrivateFile(file)
  const lock = new DatabaseSync(file)
  let isLocked = false
  try {
    isLocked = lockExclusively(lock)
  } finally {
    if (!isLocked) lock.close()
  }
  return isLocked ? () => lock.close() : undefined
}

/**
 * Closing the only connection also empties the write-ahead log: SQLite copies it into the database and flushes both
 * (synchronous is FULL by default). A start depends on that: after a failed flush, the log holds commits that the kernel shows
 * and that may not be on the disk, because Linux discards a failed page and reports success from the next flush on. The copy
 * makes them durable. So this connection is the first of a start, is not read-only, and sets neither `synchronous` nor
 * `wal_autocheckpoint`.
 */
function requireUnused(file: string): void {
  using database = new DatabaseSync(file, { timeout: waitMs })
  if (!lockExclusively(database)) throw inUseError(file)
}

/** Excludes readers too, in every journal mode; false when another process has it open. */
function lockExclusively(db: DatabaseSync): boolean {
  try {
    db.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
    return true
  } catch (error) {
    if ((error as { errcode?: number }).errcode === 5) return false
    throw error
  }
}

export const inUseError = (file: string) =>
  new CannotStart(
    `Another process is using ${file}: a Petstore, or a tool such as sqlite3. Stop it first, or start this one with ` +
      "a different PETSTORE_DATA_DIR.",
  )
