import type { DatabaseSync } from "node:sqlite"

/** Pages that stay free for what is written next: 4 MiB. */
const freePagesKept = 1000
/** Moving so many takes a few milliseconds, during which nothing else is done. */
const pagesAtOnce = 100
const batchesMax = 200

/**
 * Gives pages that nothing uses back to the disk, a few in each transaction, and returns how many. A database from before
 * pages could be given back keeps them; it is only used for what is written next.
 */
export async function giveBackPages(
  writer: DatabaseSync,
  transaction: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<number> {
  const first = freePages(writer)
  let free = first
  for (let batch = 0; batch < batchesMax && free > freePagesKept; batch++) {
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
