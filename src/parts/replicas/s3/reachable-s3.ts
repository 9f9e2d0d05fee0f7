import type { BlobStore } from "../../../core/domain/ports/blobs.ts"
import { StoreUnavailable } from "../../../core/domain/ports/store.ts"
import type { ServiceBlobs, StartOfBlobs } from "../../../core/storage/service-blobs.ts"
import { blobsIn, type ImageBucket, prepareStages } from "./blobs.ts"
import { openBucket } from "./bucket.ts"
import { createReach } from "./reach.ts"
import { s3Timeouts } from "./request.ts"

/**
 * Opens the bucket for a service, which also starts while S3 cannot be reached. Until the bucket is known to belong to the database,
 * nothing in it is changed. Throws CannotStart for a bucket that S3 refuses or that belongs to another database.
 */
export async function openReachableS3(
  location: ImageBucket,
  { bind, report, pace }: StartOfBlobs,
  timeouts = s3Timeouts,
): Promise<ServiceBlobs> {
  await prepareStages(location)
  let isBound = false
  const reach = createReach(connect, report, pace)
  const bucket = openBucket(location, timeouts, reach.watch)
  const direct = blobsIn(bucket, location)

  async function connect(): Promise<void> {
    await bucket.check()
    if (!isBound) await bind(direct)
    isBound = true
  }

  await reach.start()
  return { blobs: changedWhen(() => isBound, direct), isAway: reach.isAway, close: reach.close }
}

/** Refuses changes until the bucket is known to be that of the database: the sweep of another database would remove new images. */
function changedWhen(isBound: () => boolean, direct: BlobStore): BlobStore {
  const gated =
    <A extends unknown[], R>(change: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (isBound()) return change(...args)
      throw new StoreUnavailable("S3 has not responded since the start")
    }
  const { keep, remove, trash, restore, emptyTrash, mayTrashMany, claim } = direct
  return {
    ...direct,
    keep: gated(keep),
    remove: gated(remove),
    trash: gated(trash),
    restore: gated(restore),
    emptyTrash: gated(emptyTrash),
    mayTrashMany: gated(mayTrashMany),
    claim: gated(claim),
  }
}
