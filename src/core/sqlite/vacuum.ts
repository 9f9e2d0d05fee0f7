import type { DatabaseSync } from "node:sqlite"

/** Free pages kept for the next writes: 4 MiB. */
const freePagesKept = 1000
/** Moving so many blocks the process for a few milliseconds. */
const pagesAtOnce = 100
const batchesAtOnce = 200

/** Returns unused pages to the file system, a few in each transaction, and counts them; needs auto_vacuum = INCREMENTAL. */
export async function giveBackPages(writer: DatabaseSync, transaction: <T>(work: () => Promise<T>) => Promise<T>) {
  const first = freePages(writer)
  let free = first
  for (let batch = 0; batch < batchesAtOnce && free > freePagesKept; batch++) {
    const before = free
    free = await transaction(async () => {
      writer.exec(`PRAGMA incremental_vacuum(${Math.min(pagesAtOnce, before - freePagesKept)})`)
      return freePages(writer)
    })
    if (free >= before) break
  }
  return first - free
}

const freePages = (writer: DatabaseSync): number =>
  (writer.prepare("PRAGMA freelist_count").get() as { freelist_count: number }).freelist_count
