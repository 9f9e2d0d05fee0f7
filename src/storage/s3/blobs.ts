import { imageParts } from "../../domain/images/contract.ts"
import type { BlobReader } from "../../domain/images/store.ts"
import type { BlobStore } from "../../domain/ports/blobs.ts"
import { CannotStart } from "../../kernel/cannot-start.ts"
import { createBlobKey, isBlobKey, timeOfBlobKey } from "../blob-key.ts"
import { makePrivateDirectory } from "../disk/private.ts"
import { createStages } from "../disk/stages.ts"
import type { Bucket } from "../places.ts"
import { s3Timeouts } from "./ask.ts"
import { openBucket } from "./bucket.ts"
import { createS3Trash } from "./trash.ts"

/** Holds the identity of the database that everything here belongs to. */
const ownerName = "database-id"
/** An object an operator makes to let one sweep move away more than it would by itself. */
const agreementName = "sweep-anyway"

/** Longer than any upload takes. */
const uploadMaxMs = 60 * 60 * 1000

const nameOf = (key: string, part: string): string => `kept/${key}/${part}`

/**
 * Image bytes as objects: `kept/TIME-RANDOM/original`, `…/320`, `…/1280`. A key is given away once all three are there;
 * `trash/` notes what is to be removed. What is worked at is staged in `directory`. Throws CannotStart.
 */
export async function openS3Blobs(place: Place, timeouts = s3Timeouts): Promise<BlobStore> {
  makePrivateDirectory(place.directory)
  // Here and not by a sweep alone: that is done by one replica, and each has a directory of its own.
  await createStages(place.directory).clearStages(Date.now() - uploadMaxMs)
  return s3Blobs(place, timeouts)
}

/** The same for a reader, which needs no directory. */
export const readS3Blobs = (place: Place): Promise<BlobReader> => s3Blobs(place, s3Timeouts)

type Place = Bucket & { directory: string }

async function s3Blobs({ directory, ...place }: Place, timeouts: typeof s3Timeouts): Promise<BlobStore> {
  const bucket = openBucket(place, timeouts)
  await bucket.check()
  const partsOf = async (key: string) =>
    (await Array.fromAsync(bucket.list(`kept/${key}/`, "objects"))).map((part) => nameOf(key, part))
  const trash = createS3Trash(bucket, partsOf)

  async function remove(key: string): Promise<void> {
    await Promise.all(imageParts.map((part) => bucket.remove(nameOf(key, part))))
    await trash.forget(key)
  }

  return {
    ...createStages(directory),

    async keep(parts, at, key = createBlobKey(at)) {
      const uploads = await Promise.allSettled(imageParts.map((part) => bucket.upload(nameOf(key, part), parts[part])))
      const failed = uploads.find((upload) => upload.status === "rejected")
      if (!failed) return key
      // What cannot be removed now is an orphan, which a sweep finds.
      if (uploads.some(({ status }) => status === "fulfilled")) await remove(key).catch(() => {})
      throw failed.reason
    },

    async read(key, part, range) {
      const found = await bucket.open(nameOf(key, part), range)
      // Not worth failing a reader for: a sweep takes back what the database knows, too.
      if (found?.marked) await trash.takeBack(key).catch(() => {})
      return found?.bytes
    },

    address: async (key, part, headers) => (place.redirects ? bucket.address(nameOf(key, part), headers) : undefined),

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
    keptBefore: (before) => listKept(bucket, trash, before),
    incomplete: (keys) => findIncomplete(bucket, keys),
  }
}

type Objects = ReturnType<typeof openBucket>

const readOwner = async (bucket: Objects): Promise<string | undefined> => (await bucket.text(ownerName))?.trim()

async function claim(bucket: Objects, identity: string): Promise<void> {
  const text = `${identity}\n`
  // Whoever is first decides, where S3 can tell; elsewhere the last one does, and those before find out below.
  if (!(await bucket.putOnce(ownerName, text)) && (await readOwner(bucket)) === undefined)
    await bucket.put(ownerName, text)
  const claimed = await readOwner(bucket)
  if (claimed !== identity) throw new CannotStart(`The images belong to another database, ${claimed}`)
}

/** The keys from before a time that are not in the trash; both lists are in one order. */
async function* listKept(bucket: Objects, trash: ReturnType<typeof createS3Trash>, before: number) {
  const trashed = trash.keys()
  let away = await trashed.next()
  for await (const key of bucket.list("kept/", "folders")) {
    if (!isBlobKey(key)) continue
    if (timeOfBlobKey(key) >= before) return
    while (!away.done && away.value < key) away = await trashed.next()
    if (away.value !== key) yield key
  }
}

async function findIncomplete(bucket: Objects, keys: readonly string[]): Promise<string[]> {
  const sorted = [...keys].sort()
  const [first, last] = [sorted[0], sorted.at(-1)]
  if (first === undefined || last === undefined) return []
  const lacking = new Set(keys.flatMap((key) => imageParts.map((part) => `${key}/${part}`)))
  for await (const name of bucket.list("kept/", "objects", first)) {
    lacking.delete(name)
    if (lacking.size === 0 || name.slice(0, last.length) > last) break
  }
  return keys.filter((key) => imageParts.some((part) => lacking.has(`${key}/${part}`)))
}
