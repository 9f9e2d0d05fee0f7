// Decision: docs/decisions/images.md#images-carry-the-id-of-their-database

import type { BlobStore } from "../domain/ports/blobs.ts"
import type { Repositories } from "../domain/ports/store.ts"
import { CannotStart } from "../kernel/cannot-start.ts"
import { inGroups } from "../kernel/flow/in-groups.ts"

const batchSize = 500

type Knowing = { origin: Pick<Repositories["origin"], "identity">; images: Pick<Repositories["images"], "known"> }
type Bound = Pick<BlobStore, "owner" | "claim" | "keptBefore">

/**
 * Requires that the images belong to this database, because a sweep removes unknown ones. A location without an owner is claimed
 * when the database knows at least half of its images. Throws CannotStart.
 */
export async function bindBlobs(store: Knowing, blobs: Bound, location: string): Promise<void> {
  const identity = await store.origin.identity()
  const owner = await blobs.owner()
  if (owner === identity) return
  if (owner !== undefined)
    throw new CannotStart(`The images in ${location} belong to another database. ${advice(identity)}`)

  const { known, all } = await countKnown(store, blobs)
  if (known * 2 < all)
    throw new CannotStart(`The database knows ${known} of the ${all} images in ${location}. ${advice(identity)}`)
  await blobs.claim(identity)
}

const advice = (identity: string): string =>
  "Start with the database they belong to, or choose another location with PETSTORE_BLOB_URL. To give them to this " +
  `database, stop every Petstore that uses them and write ${identity} into the file database-id there.`

async function countKnown(store: Knowing, blobs: Bound): Promise<{ known: number; all: number }> {
  const count = { known: 0, all: 0 }
  for await (const batch of inGroups(blobs.keptBefore(Number.POSITIVE_INFINITY), batchSize)) {
    count.known += (await store.images.known(batch)).size
    count.all += batch.length
  }
  return count
}
