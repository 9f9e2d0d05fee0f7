// Decision: docs/decisions/storage-sqlite.md#space-for-deleting-is-reserved-in-a-file

import { closeSync, openSync, rmSync, statfsSync, statSync, writeSync } from "node:fs"
import { dirname } from "node:path"
import type { DatabaseSync } from "node:sqlite"
import { modes } from "../disk/private.ts"
import { StoreUnavailable } from "../domain/ports/store.ts"
import { toSqliteError } from "./connection.ts"

/** More than the log and the growth of the database between two checkpoints. */
const reserveBytes = 8 * 1024 * 1024
/** The growth that a full disk still allows: a deletion writes an event before it frees pages. */
const growthPages = 64
const unlimitedPages = 4_294_967_294

export type DiskReserve = {
  /** Whether the disk is full, so that the database cannot grow. */
  isFull(): boolean
  /** Frees the reserve; called after a transaction failed on a full disk, while nothing reads. */
  spend(): void
  /** Takes the reserve back once there is enough space; called before a transaction. */
  renew(): void
}

/** SQLITE_FULL, as thrown by SQLite or wrapped for the domain. */
export const isFullError = (error: unknown): boolean =>
  ((error as { errcode?: number }).errcode ?? (error as { cause?: { errcode?: number } }).cause?.errcode) === 13

/**
 * Reserves disk space for deleting, because SQLite writes to its log before it frees anything. On a full disk the log receives
 * this space and the database stops growing: writes succeed only if they fit into freed pages. With enough space, the limit is
 * lifted.
 */
export function createDiskReserve(writer: DatabaseSync, databaseFile: string, freeBytesIn = freeBytesOf): DiskReserve {
  const file = `${databaseFile}.reserve`
  const hasSpace = (): boolean => freeBytesIn(dirname(file)) >= 2 * reserveBytes
  let isSpent = !isHeld() && !hold()
  let isFull = false
  if (isSpent && !hasSpace()) stopGrowing()

  function isHeld(): boolean {
    return statSync(file, { throwIfNoEntry: false })?.size === reserveBytes
  }

  function hold(): boolean {
    if (!hasSpace()) return false
    try {
      writeReserve(file)
      return true
    } catch {
      rmSync(file, { force: true })
      return false
    }
  }

  function stopGrowing(): void {
    const { page_count: pages } = writer.prepare("PRAGMA page_count").get() as { page_count: number }
    writer.exec(`PRAGMA max_page_count = ${pages + growthPages}`)
    isFull = true
  }

  /** Tries once: what prevents it, such as a reading tool, may have ended by the next commit. */
  function emptyLog(): void {
    writer.exec("PRAGMA busy_timeout = 0")
    try {
      writer.exec("PRAGMA wal_checkpoint(TRUNCATE)")
    } catch (error) {
      if (!(toSqliteError(error) instanceof StoreUnavailable)) throw error
    } finally {
      writer.exec("PRAGMA busy_timeout = 5000")
    }
  }

  return {
    isFull: () => isFull,

    spend(): void {
      if (isSpent) return
      isSpent = true
      rmSync(file, { force: true })
      emptyLog()
      stopGrowing()
    },

    renew(): void {
      if (!isSpent || !hold()) return
      isSpent = false
      isFull = false
      writer.exec(`PRAGMA max_page_count = ${unlimitedPages}`)
    },
  }
}

function freeBytesOf(directory: string): number {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize
}

/** Throws when the disk is full. Written in pieces, so that the process does not keep 8 MiB for it. */
function writeReserve(path: string): void {
  const piece = Buffer.alloc(64 * 1024, 1)
  const file = openSync(path, "w", modes.file)
  try {
    for (let left = reserveBytes; left > 0; ) left -= writeSync(file, piece, 0, Math.min(piece.length, left))
  } finally {
    closeSync(file)
  }
}

/** For a database with a maximum size, of which a full one is no failure of the machine. */
export function boundSize(writer: DatabaseSync, bytesMax: number): DiskReserve {
  const { page_size: pageBytes } = writer.prepare("PRAGMA page_size").get() as { page_size: number }
  writer.exec(`PRAGMA max_page_count = ${Math.floor(bytesMax / pageBytes)}`)
  return { isFull: () => false, spend() {}, renew() {} }
}
