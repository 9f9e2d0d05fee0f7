import { type ImagePart, imageParts } from "../domain/images/contract.ts"
import type { StoredImage } from "../domain/images/store.ts"
import type { BlobStore, Repositories } from "../domain/ports.ts"
import { CannotStart } from "../kernel/cannot-start.ts"
import type { Listed } from "./archive/file-list.ts"
import { type Sum, summing } from "./archive/hash.ts"
import { imageFile } from "./archive/place.ts"

const pageSize = 500

/** Every image a database knows, in the order of their SHA-256. */
export async function* allImages({ images }: Pick<Repositories, "images">): AsyncGenerator<StoredImage> {
  for (let last = ""; ; ) {
    const page = await images.after(last, pageSize)
    yield* page
    if (page.length < pageSize) return
    last = page.at(-1)?.sha256 ?? ""
  }
}

/** Writes the files of an image and resolves with what an archive's list says of them; undefined when they are gone. */
export async function copyImage(
  image: StoredImage,
  blobs: Pick<BlobStore, "read">,
  write: (name: string, bytes: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<Listed[] | undefined> {
  const opened = await openParts(image, blobs)
  if (opened === undefined) return undefined
  const files: Listed[] = []
  for (const { name, bytes } of opened) {
    let sum: Sum = { bytes: 0, sha256: "" }
    await write(
      name,
      summing(bytes, (found) => {
        sum = found
      }),
    )
    files.push({ name, ...sum })
  }
  if (!isWhole(image, files))
    throw new CannotStart(`The files of image ${image.sha256}, under ${image.blob}, are damaged`)
  return files
}

/** Opened all before the first is read: whoever removes an image then does not disturb its readers. */
async function openParts(image: StoredImage, blobs: Pick<BlobStore, "read">) {
  const opened: { name: string; bytes: AsyncIterable<Uint8Array> }[] = []
  for (const part of imageParts) {
    const bytes = await blobs.read(image.blob, part, { start: 0, end: image.bytes[part] - 1 })
    if (bytes) opened.push({ name: imageFile(image.blob, part), bytes })
  }
  if (opened.length === imageParts.length) return opened
  for (const { bytes } of opened) await bytes[Symbol.asyncIterator]().return?.()
  return undefined
}

/** Whether these are the files of this image: all parts, of their sizes, and the original with its SHA-256. */
export function isWhole(image: StoredImage, files: readonly Listed[]): boolean {
  const isPart = ({ name, bytes, sha256 }: Listed, part: ImagePart) =>
    name === imageFile(image.blob, part) &&
    bytes === image.bytes[part] &&
    (part !== "original" || sha256 === image.sha256)
  return files.length === imageParts.length && imageParts.every((part, n) => isPart(files[n] as Listed, part))
}
