import { realpathSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { CannotStart } from "../../kernel/cannot-start.ts"
import { makePrivateFile } from "../disk/private.ts"

/** How long a tool such as `sqlite3` may use the database while the service starts. */
const patienceMs = 1_000

/**
 * Makes this process the only one that starts on the database, which must exist: holds an operating-system lock on a
 * file beside it, under the database's real name, which ends with the process however that ends. Then makes sure that
 * nobody has the database itself open: every process that uses it holds a lock on it, whatever name it knows it by, also
 * when the file beside it was removed. Returns how to unlock; until then the caller keeps a connection open.
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
 * Locks a file of no other use, made when it is not there: the operating system releases the lock when this process ends,
 * however it ends. Returns how to unlock; undefined when another process holds the lock.
 */
export function lockFile(file: string): (() => void) | undefined {
  makePrivateFile(file)
  const lock = new DatabaseSync(file)
  try {
    if (lockExclusively(lock)) return () => lock.close()
  } catch (error) {
    lock.close()
    throw error
  }
  lock.close()
  return undefined
}

/**
 * Closing the only connection also empties the write-ahead log: SQLite copies it into the database and flushes both (synchronous
 * is FULL unless told otherwise). A start depends on that. After a flush that failed, the log holds commits that the
 * kernel still shows and that may not be on the disk, because Linux forgets a failed page and reports success from the next flush on.
 * Written into the database and flushed with it, they are there before anything is built on them. So this connection stays the
 * first of a start, is not opened read-only, and sets neither `synchronous` nor `wal_autocheckpoint`.
 */
function requireUnused(file: string): void {
  const database = new DatabaseSync(file, { timeout: patienceMs })
  try {
    if (!lockExclusively(database)) throw inUseError(file)
  } finally {
    database.close()
  }
}

/** Excludes readers too, and does so in every journal mode; false when somebody has it open. */
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
