import { isDeepStrictEqual } from "node:util"
import type { ImageStore, StoredImage } from "../../../core/domain/images/store.ts"
import type { BlobStore } from "../../../core/domain/ports/blobs.ts"
import { CannotStart } from "../../../core/kernel/cannot-start.ts"
import { allEnded } from "../../../core/kernel/flow/all-ended.ts"
import { inGroups } from "../../../core/kernel/flow/in-groups.ts"
import { type ImageRow, toStoredImage } from "../../../core/sql/nouns/images.ts"
import type { RawDatabase } from "../../../core/sql/tables.ts"
import type { ListedFile } from "../archive/file-list.ts"
import { bytesOf, sumOf } from "../archive/hash.ts"
import { hasImages } from "../backup/restore-conditions.ts"
import type { Report } from "../contract.ts"
import { allImages, isWhole, openParts, putImage, readPart } from "../installation/images.ts"

/** An image storage, and its name in messages. */
type ImageLocation = { blobs: BlobStore; name: string }

/** A copy of a database's images; `now` in milliseconds since the epoch. */
type ImageCopy = { database: RawDatabase; identity: string; from: ImageLocation; to: ImageLocation; now: number }

const copiedAtOnce = 8

/**
 * Copies all images of the database and reads them back. Images that the target already contains intact are skipped, so that an
 * interrupted copy can be continued. Throws CannotStart. Returns the number of images.
 */
export async function copyImages(copy: ImageCopy, report: Report): Promise<number> {
  const { database, identity, to } = copy
  await claim(to, identity)
  const [[total] = []] = await database.query("SELECT count(*) FROM images")
  let done = 0
  for await (const images of inGroups(allImages(imagesOf(database)), copiedAtOnce)) {
    await allEnded(images.map((image) => copyImage(image, copy)))
    done += images.length
    report("copying", done, Number(total), "images")
  }
  return done
}

/** Claims the target for this database; refuses a target with other images. */
async function claim({ blobs, name }: ImageLocation, identity: string): Promise<void> {
  if ((await blobs.owner()) === identity) return
  if (await hasImages(blobs)) throw new CannotStart(`${name} already contains images of another database`)
  await blobs.claim(identity)
}

const imagesOf = ({ query, dialect }: RawDatabase): Pick<ImageStore, "after"> => ({
  async after(sha256, limit) {
    const parameter = dialect.placeholder(1)
    const text = `SELECT sha256, blob, json FROM images WHERE sha256 > ${parameter} ORDER BY sha256 LIMIT ${limit}`
    const rows = (await query(text, [sha256])) as string[][]
    return rows.map(([sha256 = "", blob = "", json = ""]) => toStoredImage({ sha256, blob, json } satisfies ImageRow))
  },
})

async function copyImage(image: StoredImage, { from, to, now }: ImageCopy): Promise<void> {
  const expected = await list(image, from)
  if (expected === undefined) throw new CannotStart(`The files of ${nameOf(image)} are not in ${from.name}`)
  if (!isWhole(image, expected)) throw new CannotStart(`The files of ${nameOf(image)} are damaged in ${from.name}`)
  const isThere = async () => isDeepStrictEqual(await list(image, to), expected)
  if (await isThere()) return
  await putImage(to.blobs, image.blob, now, async (part) => (await readPart(image, part, from.blobs)) ?? bytesOf(""))
  if (!(await isThere()))
    throw new CannotStart(`${nameOf(image)} differs in ${to.name} after it was copied: check the disk`)
}

const nameOf = ({ sha256, blob }: StoredImage) => `image ${sha256} (${blob})`

/** The files of an image with their sums; undefined when one is missing. */
async function list(image: StoredImage, { blobs }: ImageLocation): Promise<ListedFile[] | undefined> {
  const opened = await openParts(image, blobs)
  return opened && Promise.all(opened.map(async ({ name, bytes }) => ({ name, ...(await sumOf(bytes)) })))
}
