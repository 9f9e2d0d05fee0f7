import { agreementName, createBlobKey, isBlobKey, ownerName, timeOfBlobKey } from "../../../core/disk/blob-key.ts"
import { makePrivateDirectory } from "../../../core/disk/private.ts"
import { createStages } from "../../../core/disk/stages.ts"
import { imageParts } from "../../../core/domain/images/contract.ts"
import type { BlobStore } from "../../../core/domain/ports/blobs.ts"
import { StoreUnavailable } from "../../../core/domain/ports/store.ts"
import { CannotStart } from "../../../core/kernel/cannot-start.ts"
import type { Bucket } from "../../../core/storage/locations.ts"
import { type BucketObjects, cannotKeep, openBucket } from "./bucket.ts"
import { s3Timeouts } from "./request.ts"
import { createS3Trash } from "./trash.ts"

/** Longer than any upload takes. */
const uploadMaxMs = 60 * 60 * 1000

const nameOf = (key: string, part: string): string => `kept/${key}/${part}`

/** Opens the store of image bytes, staged in `directory`. Throws CannotStart. */
export async function openS3Blobs(location: ImageBucket, timeouts = s3Timeouts): Promise<BlobStore> {
  await prepareStages(location)
  return s3Blobs(location, timeouts)
}

/** Makes the directory in which uploads are staged. */
export async function prepareStages({ directory }: Pick<ImageBucket, "directory">): Promise<void> {
  makePrivateDirectory(directory)
  // At the start, too: one replica sweeps, and each has its own directory.
  await createStages(directory).clearStages(Date.now() - uploadMaxMs)
}

export type ImageBucket = Bucket & { directory: string }

/** The same for reading; creates nothing. Throws CannotStart. */
export async function s3Blobs(location: ImageBucket, timeouts = s3Timeouts): Promise<BlobStore> {
  const bucket = openBucket(location, timeouts)
  await bucket.check().catch((error) => {
    throw error instanceof StoreUnavailable ? cannotKeep(location.bucket, error) : error
  })
  return blobsIn(bucket, location)
}

/**
 * Image bytes as objects: `kept/TIME-RANDOM/original`, `…/320`, `…/1280`. Callers receive a key once all three are durable; `trash/`
 * records what is to be removed. Reading needs no directory.
 */
export function blobsIn(
  bucket: BucketObjects,
  { directory, redirects }: Pick<ImageBucket, "directory" | "redirects">,
): BlobStore {
  const partsOf = async (key: string) =>
    (await Array.fromAsync(bucket.list(`kept/${key}/`, "objects"))).map((part) => nameOf(key, part))
  const trash = createS3Trash(bucket, partsOf)

  async function remove(key: string): Promise<void> {
    await Promise.all(imageParts.map((part) => bucket.remove(nameOf(key, part))))
    await trash.forget(key)
  }

  return {
    ...createStages(directory),
    hasChecksums: true,

    async keep(parts, at, key = createBlobKey(at)) {
      const uploads = await Promise.allSettled(imageParts.map((part) => bucket.upload(nameOf(key, part), parts[part])))
      const failed = uploads.find((upload) => upload.status === "rejected")
      if (!failed) return key
      // A sweep finds orphans that cannot be removed now.
      if (uploads.some(({ status }) => status === "fulfilled")) await remove(key).catch(() => {})
      throw failed.reason
    },

    async read(key, part, range) {
      const found = await bucket.open(nameOf(key, part), range)
      // Does not fail the reader: a sweep restores images that the database knows.
      if (found?.marked) await trash.takeBack(key).catch(() => {})
      return found?.bytes
    },

    address: async (key, part, headers) => (redirects ? bucket.address(nameOf(key, part), headers) : undefined),
    remove,

    async trash(key, at) {
      if ((await partsOf(key)).length > 0) await trash.put(key, at)
    },
    restore: (key) => trash.restore(key),
    trashed: () => trash.keys(),
    async emptyTrash(before) {
      let count = 0
      for await (const key of trash.keysBefore(before)) {
        await remove(key)
        count++
      }
      return count
    },

    async mayTrashMany() {
      const isThere = (await bucket.text(agreementName)) !== undefined
      await bucket.remove(agreementName)
      return isThere
    },

    owner: () => readOwner(bucket),
    claim: (identity) => claim(bucket, identity),
    keptBefore: (before) => listKept(bucket, trash.keys(), before),
    incomplete: (keys) => findIncomplete(bucket, keys),
  }
}

const readOwner = async (bucket: BucketObjects): Promise<string | undefined> => (await bucket.text(ownerName))?.trim()

async function claim(bucket: BucketObjects, identity: string): Promise<void> {
  const text = `${identity}\n`
  // With conditional writes the first claim wins, without them the last; the others fail below.
  if (!(await bucket.putOnce(ownerName, text)) && (await readOwner(bucket)) === undefined)
    await bucket.put(ownerName, text)
  const claimed = await readOwner(bucket)
  if (claimed !== identity) throw new CannotStart(`The images belong to another database, ${claimed}`)
}

/** The keys from before a time that are not trashed; both lists have the same order. */
async function* listKept(bucket: BucketObjects, trashed: AsyncGenerator<string>, before: number) {
  let away = await trashed.next()
  for await (const key of bucket.list("kept/", "folders")) {
    if (!isBlobKey(key)) continue
    if (timeOfBlobKey(key) >= before) return
    while (!away.done && away.value < key) away = await trashed.next()
    if (away.value !== key) yield key
  }
}

async function findIncomplete(bucket: BucketObjects, keys: readonly string[]): Promise<string[]> {
  const sorted = keys.toSorted()
  const [first, last] = [sorted[0], sorted.at(-1)]
  if (first === undefined || last === undefined) return []
  const lacking = new Set(keys.flatMap((key) => imageParts.map((part) => `${key}/${part}`)))
  for await (const name of bucket.list("kept/", "objects", first)) {
    lacking.delete(name)
    if (lacking.size === 0 || name.slice(0, last.length) > last) break
  }
  return keys.filter((key) => imageParts.some((part) => lacking.has(`${key}/${part}`)))
}
