import { isDeepStrictEqual } from "node:util"
import { type ImagePart, imageParts, perPart } from "../../domain/images/contract.ts"
import type { StoredImage } from "../../domain/images/store.ts"
import type { BlobStore } from "../../domain/ports/blobs.ts"
import { CannotStart } from "../../kernel/cannot-start.ts"
import { allEnded } from "../../kernel/flow/all-ended.ts"
import { inGroups } from "../../kernel/flow/in-groups.ts"
import { type ImageRow, toStoredImage } from "../../storage/sql/nouns/images.ts"
import type { RawDatabase } from "../../storage/sql/tables.ts"
import type { Listed } from "../archive/file-list.ts"
import { bytesOf, sumOf } from "../archive/hash.ts"
import { imageFile } from "../archive/place.ts"
import { hasImages } from "../backup/restore-conditions.ts"
import { isWhole } from "../images.ts"
import type { Report } from "../report.ts"

/** A place of images, and what messages call it. */
type ImagePlace = { blobs: BlobStore; name: string }

/** Images copied at once, and rows of the database read at once. */
const copiedAtOnce = 8
const pageSize = 500

/**
 * Copies every image that the database knows and reads it back; what is there already, whole, is left as it is, so that an
 * interrupted copy goes on. Throws CannotStart. Returns the number of images.
 */
export async function copyImages(
  database: RawDatabase,
  identity: string,
  from: ImagePlace,
  to: ImagePlace,
  now: number,
  report: Report,
): Promise<number> {
  await claim(to, identity)
  const [[total] = []] = await database.query("SELECT count(*) FROM images")
  let done = 0
  for await (const images of inGroups(imagesOf(database), copiedAtOnce)) {
    await allEnded(images.map((image) => copyImage(image, from, to, now)))
    done += images.length
    report("copying", done, Number(total), "images")
  }
  return done
}

/** Makes the place one of this database; a place with images of another, or of nobody known, is refused. */
async function claim({ blobs, name }: ImagePlace, identity: string): Promise<void> {
  if ((await blobs.owner()) === identity) return
  if (await hasImages(blobs)) throw new CannotStart(`${name} holds images of another database already`)
  await blobs.claim(identity)
}

async function* imagesOf({ query, dialect }: RawDatabase): AsyncGenerator<StoredImage> {
  const text = `SELECT sha256, blob, json FROM images WHERE sha256 > ${dialect.placeholder(1)} ORDER BY sha256 LIMIT ${pageSize}`
  for (let last = ""; ; ) {
    const rows = (await query(text, [last])) as string[][]
    for (const [sha256 = "", blob = "", json = ""] of rows)
      yield toStoredImage({ sha256, blob, json } satisfies ImageRow)
    if (rows.length < pageSize) return
    last = rows.at(-1)?.[0] ?? ""
  }
}

async function copyImage(image: StoredImage, from: ImagePlace, to: ImagePlace, now: number): Promise<void> {
  const wanted = await list(image, from)
  if (wanted === undefined) throw new CannotStart(`The files of ${nameOf(image)} are not in ${from.name}`)
  if (!isWhole(image, wanted)) throw new CannotStart(`The files of ${nameOf(image)} are damaged in ${from.name}`)
  const isThere = async () => isDeepStrictEqual(await list(image, to), wanted)
  if (await isThere()) return
  await using stage = await to.blobs.stage(now)
  const paths = perPart(() => "")
  for (const part of imageParts) paths[part] = await stage.write(part, (await read(image, part, from)) ?? bytesOf(""))
  await to.blobs.remove(image.blob)
  await to.blobs.keep(paths, now, image.blob)
  if (!(await isThere()))
    throw new CannotStart(`${nameOf(image)} was not copied to ${to.name} as it is: is the disk sound?`)
}

const nameOf = ({ sha256, blob }: StoredImage) => `image ${sha256} (${blob})`

/** The files of an image with their sums; undefined when one is not there. */
async function list(image: StoredImage, place: ImagePlace): Promise<Listed[] | undefined> {
  const files: Listed[] = []
  for (const part of imageParts) {
    const bytes = await read(image, part, place)
    if (bytes === undefined) return undefined
    files.push({ name: imageFile(image.blob, part), ...(await sumOf(bytes)) })
  }
  return files
}

const read = ({ blob, bytes }: StoredImage, part: ImagePart, { blobs }: ImagePlace) =>
  blobs.read(blob, part, { start: 0, end: bytes[part] - 1 })
