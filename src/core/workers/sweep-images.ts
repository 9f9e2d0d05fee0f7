import type { BlobReader } from "../domain/images/store.ts"
import type { BlobStore } from "../domain/ports/blobs.ts"
import type { Repositories, Store } from "../domain/ports/store.ts"
import { inGroups } from "../kernel/flow/in-groups.ts"
import type { ChoreDeps } from "./chore.ts"

/** How long an unreferenced image is still served. */
export const unreferencedKeptMs = 24 * 60 * 60 * 1000
/** How long bytes without a row can be recovered, for example by restoring a newer database. */
export const trashKeptMs = 7 * 24 * 60 * 60 * 1000
/** Longer than any upload takes from its first byte to its commit. */
const uploadMaxMs = 60 * 60 * 1000
const batchSize = 500

/** More orphans than killed processes leave: more likely, this is the wrong database. */
const isUnusual = (orphans: number, scanned: number): boolean => orphans > 10 && orphans * 5 > scanned

/** Every number counts images. */
type SweepReport = {
  /** In the blob store. */
  scanned: number
  /** Unknown to the database: moved to the trash, unless `held` back because they are unusually many. */
  orphans: number
  held: boolean
  /** Restored from the trash because the database knows them. */
  restored: number
  /** Deleted because no pet had referred to them for a day. */
  deleted: number
  /** Deleted after their time in the trash. */
  emptied: number
}

type Swept = Pick<ChoreDeps, "store" | "blobs" | "clock"> & { log: Record<"warn" | "info", Log> }
type Log = (facts: object, message: string) => void

/** Creates a chore that sweeps images and logs the result. `soleSince` is before the first request of this process, if no other process writes. */
export function createImageSweep(soleSince: number | undefined) {
  return async function sweepImagesAndReport({ store, blobs, clock, log }: Swept): Promise<void> {
    const report = await sweepImages(store, blobs, clock.now(), soleSince)
    if (report.held) log.warn({ ...report }, heldBack)
    else log.info({ ...report }, "images swept")
  }
}

const heldBack =
  "The database does not know an unusual share of the images, so none was moved to the trash. Is it the right database? " +
  "Restore the newer one; or, to move them to the trash for 7 days, create a file, or in S3 an object, named sweep-anyway beside their directory kept."

/**
 * Deletes images without a reference for a day, and moves bytes without a row to the trash: a process was killed between writing
 * the bytes and the row, or the database is an older one.
 */
export async function sweepImages(
  store: Store,
  blobs: BlobStore,
  now: number,
  soleSince?: number,
): Promise<SweepReport> {
  const deleted = await deleteUnreferenced(store, blobs, now)
  const restored = await restoreKnown(store, blobs)
  // If the clock was set back, uploads of this process seem older than its start.
  const sole = soleSince !== undefined && soleSince <= now ? soleSince : 0
  const before = Math.max(sole, now - uploadMaxMs)
  const { scanned, orphans } = await findOrphans(store, blobs, before)
  const held = isUnusual(orphans.length, scanned) && !(await blobs.mayTrashMany())
  if (!held) for (const key of orphans) await blobs.trash(key, now)
  const emptied = await blobs.emptyTrash(now - trashKeptMs)
  await blobs.clearStages(before)
  return { scanned, orphans: orphans.length, held, restored, deleted, emptied }
}

/** Deletes images to which no pet has referred for a day, and marks those to which none refers now. Returns their number. */
export async function deleteUnreferenced(store: Store, blobs: Pick<BlobStore, "remove">, now: number): Promise<number> {
  while ((await store.transaction((tx) => tx.images.markUnreferenced(now, batchSize))) === batchSize);
  let count = 0
  for (;;) {
    const forgotten = await store.transaction((tx) => tx.images.forgetUnreferenced(now - unreferencedKeptMs, batchSize))
    for (const key of forgotten) await blobs.remove(key)
    count += forgotten.length
    if (forgotten.length < batchSize) return count
  }
}

async function restoreKnown(store: Store, blobs: BlobStore): Promise<number> {
  let count = 0
  for await (const batch of inGroups(blobs.trashed(), batchSize))
    for (const key of await store.images.known(batch)) if (await blobs.restore(key)) count++
  return count
}

/** The keys stored before this time (ms) that the database does not know, and the number of all keys. */
export async function findOrphans(
  store: Pick<Repositories, "images">,
  blobs: Pick<BlobReader, "keptBefore">,
  before: number,
) {
  const orphans: string[] = []
  let scanned = 0
  for await (const batch of inGroups(blobs.keptBefore(before), batchSize)) {
    const known = await store.images.known(batch)
    orphans.push(...batch.filter((key) => !known.has(key)))
    scanned += batch.length
  }
  return { scanned, orphans }
}

const namedMax = 5

/** How many images of the database lack files, and the keys of the first of them. */
export async function findMissing({ images }: Pick<Repositories, "images">, blobs: Pick<BlobReader, "incomplete">) {
  const first: string[] = []
  let count = 0
  for (let last: string | undefined = ""; last !== undefined; ) {
    const page: { blob: string }[] = await images.afterKey(last, batchSize)
    const lacking = await blobs.incomplete(page.map(({ blob }) => blob))
    // A running service may have deleted the image since.
    const known = lacking.length > 0 ? await images.known(lacking) : new Set<string>()
    const missing = lacking.filter((key) => known.has(key))
    count += missing.length
    first.push(...missing.slice(0, namedMax - first.length))
    last = page.length === batchSize ? page.at(-1)?.blob : undefined
  }
  return { count, first }
}
