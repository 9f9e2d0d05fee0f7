import type { BlobStore } from "../domain/images/lab.ts"
import type { Store } from "../domain/store.ts"

/** How long a picture that no pet refers to is still served, to whoever saw its address before. */
export const unreferencedKeptMs = 24 * 60 * 60 * 1000
/** Longer than any upload takes from its first byte to its commit. */
const uploadMaxMs = 60 * 60 * 1000
const batchSize = 500

/**
 * Forgets pictures that no pet has referred to for a day, and bytes that belong to no picture because a process was
 * killed between writing the one and the other. `soleSince` is when this process became the only one that writes.
 */
export async function sweepImages(store: Store, blobs: BlobStore, now: number, soleSince?: number): Promise<void> {
  while ((await store.transaction((tx) => tx.images.markUnreferenced(now, batchSize))) === batchSize);
  let forgotten: string[]
  do {
    forgotten = await store.transaction((tx) => tx.images.forgetUnreferenced(now - unreferencedKeptMs, batchSize))
    for (const key of forgotten) await blobs.remove(key)
  } while (forgotten.length === batchSize)

  const before = Math.max(soleSince ?? 0, now - uploadMaxMs)
  let batch: string[] = []
  for await (const key of blobs.keptBefore(before))
    if (batch.push(key) === batchSize) {
      await removeOrphans(store, blobs, batch)
      batch = []
    }
  await removeOrphans(store, blobs, batch)
  await blobs.clearStages(before)
}

async function removeOrphans(store: Store, blobs: BlobStore, keys: readonly string[]): Promise<void> {
  const known = await store.images.known(keys)
  for (const key of keys) if (!known.has(key)) await blobs.remove(key)
}
