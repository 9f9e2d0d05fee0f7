import { type ImagePart, imageParts, perPart } from "../../../core/domain/images/contract.ts"
import type { ImageStore, StoredImage } from "../../../core/domain/images/store.ts"
import type { BlobStore } from "../../../core/domain/ports/blobs.ts"
import { StoreUnavailable } from "../../../core/domain/ports/store.ts"
import { type ArchiveWriter, imageFile } from "../archive/archive.ts"
import type { ListedFile } from "../archive/file-list.ts"
import { summing, sumOf } from "../archive/hash.ts"
import type { MissingImage } from "../contract.ts"

const pageSize = 500

/** All images of a database, in the order of their SHA-256. */
export async function* allImages(images: Pick<ImageStore, "after">): AsyncGenerator<StoredImage> {
  for (let last = ""; ; ) {
    const page = await images.after(last, pageSize)
    yield* page
    if (page.length < pageSize) return
    last = page.at(-1)?.sha256 ?? ""
  }
}

/**
 * Writes the files of an image; resolves with their entries in the file list, or with the reason why the image was skipped. The
 * files of a damaged image are removed again.
 */
export async function copyImage(
  image: StoredImage,
  blobs: Pick<BlobStore, "read">,
  { write, remove }: Pick<ArchiveWriter, "write" | "remove">,
): Promise<ListedFile[] | MissingImage["reason"]> {
  const opened = await openParts(image, blobs)
  if (opened === undefined) return "missing"
  const files: ListedFile[] = []
  for (const { name, bytes } of opened)
    await write(
      name,
      summing(endingAtDamage(bytes), (sum) => files.push({ name, ...sum })),
    )
  if (isWhole(image, files)) return files
  for (const { name } of files) await remove(name)
  return "damaged"
}

/** Whether the original of an image does not have its SHA-256; false when it is missing. */
export async function isDamaged(image: StoredImage, blobs: Pick<BlobStore, "read">): Promise<boolean> {
  const bytes = await readPart(image, "original", blobs)
  return bytes !== undefined && (await sumOf(endingAtDamage(bytes))).sha256 !== image.sha256
}

/** Ends a file at the first unreadable byte. Unavailable storage is not damage and throws. */
async function* endingAtDamage(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes
  } catch (error) {
    if (error instanceof StoreUnavailable || (error as NodeJS.ErrnoException).syscall !== "read") throw error
  }
}

/** Opens all parts before reading the first, so that a concurrent deletion does not interrupt reading. */
export async function openParts(image: StoredImage, blobs: Pick<BlobStore, "read">) {
  const opened: { name: string; bytes: AsyncIterable<Uint8Array> }[] = []
  for (const part of imageParts) {
    const bytes = await readPart(image, part, blobs)
    if (bytes) opened.push({ name: imageFile(image.blob, part), bytes })
  }
  if (opened.length === imageParts.length) return opened
  // A reader closes its file only after the first read.
  for (const { bytes } of opened) for await (const _ of bytes) break
  return undefined
}

/** The bytes of a part; undefined when they are missing. */
export const readPart = ({ blob, bytes }: StoredImage, part: ImagePart, blobs: Pick<BlobStore, "read">) =>
  blobs.read(blob, part, { start: 0, end: bytes[part] - 1 })

/** Stores the parts of an image under a key, replacing existing ones. */
export async function putImage(
  blobs: BlobStore,
  key: string,
  now: number,
  open: (part: ImagePart) => Promise<AsyncIterable<Uint8Array>>,
): Promise<void> {
  await using stage = await blobs.stage(now)
  const paths = perPart(() => "")
  for (const part of imageParts) paths[part] = await stage.write(part, await open(part))
  await blobs.remove(key)
  await blobs.keep(paths, now, key)
}

/** Whether these are the complete files of the image: all parts with their sizes, and the original with its SHA-256. */
export function isWhole(image: StoredImage, files: readonly ListedFile[]): boolean {
  const isPart = ({ name, bytes, sha256 }: ListedFile, part: ImagePart) =>
    name === imageFile(image.blob, part) &&
    bytes === image.bytes[part] &&
    (part !== "original" || sha256 === image.sha256)
  return files.length === imageParts.length && imageParts.every((part, n) => isPart(files[n] as ListedFile, part))
}
