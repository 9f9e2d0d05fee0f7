import { hash } from "node:crypto"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { Readable } from "node:stream"
import { type ImagePart, imageParts, perPart } from "../../../core/domain/images/contract.ts"
import type { StoredImage } from "../../../core/domain/images/store.ts"
import type { BlobStore } from "../../../core/domain/ports/blobs.ts"
import type { Store } from "../../../core/domain/ports/store.ts"
import { programFile } from "../../../program.ts"

const edge = 640
const directory = programFile("parts/sandbox/seeds/images")
/** The sample file for each part; images are not enlarged. */
const drawn: Record<ImagePart, number> = { original: edge, "320": 320, "1280": edge }

/** Stores sample images unless their files exist, and returns their rows. */
export function sampleImages(store: Store, blobs: BlobStore) {
  const known = new Map<string, StoredImage>()

  async function keep(picture: string, at: number): Promise<[string, StoredImage]> {
    const original = await readFile(join(directory, `${picture}-${edge}.webp`))
    const before = known.get(picture) ?? (await store.images.read(hash("sha256", original)))
    const image = before && (await isThere(blobs, before.blob)) ? before : await keepImage(blobs, picture, at)
    known.set(picture, image)
    return [picture, image]
  }

  return async (pictures: Iterable<string>, at: number): Promise<ReadonlyMap<string, StoredImage>> =>
    new Map(await Promise.all([...new Set(pictures)].map((picture) => keep(picture, at))))
}

/** The SHA-256 of every sample image. */
export async function samplePictureHashes(): Promise<ReadonlySet<string>> {
  const files = (await readdir(directory)).filter((name) => name.endsWith(`-${edge}.webp`))
  return new Set(await Promise.all(files.map(async (name) => hash("sha256", await readFile(join(directory, name))))))
}

export async function isThere(blobs: BlobStore, blob: string): Promise<boolean> {
  const bytes = await blobs.read(blob, "original", { start: 0, end: 0 })
  if (bytes) for await (const _ of bytes);
  return bytes !== undefined
}

async function keepImage(blobs: BlobStore, picture: string, at: number): Promise<StoredImage> {
  const read = (part: ImagePart) => readFile(join(directory, `${picture}-${drawn[part]}.webp`))
  const files = await Promise.all(imageParts.map(async (part) => [part, await read(part)] as const))
  const parts = Object.fromEntries(files) as Record<ImagePart, Buffer>
  return {
    sha256: hash("sha256", parts.original),
    type: "image/webp",
    width: edge,
    height: edge,
    frames: 1,
    bytes: perPart((part) => parts[part].length),
    blob: await keepParts(blobs, (part) => Readable.from([parts[part]]), at),
  }
}

/** Stores the files of an image, of which `read` has the bytes, and returns their key. */
export async function keepParts(blobs: BlobStore, read: (part: ImagePart) => Readable, at: number): Promise<string> {
  await using stage = await blobs.stage(at)
  const paths = new Map<ImagePart, string>()
  for (const part of imageParts) paths.set(part, await stage.write(part, read(part)))
  return await blobs.keep(
    perPart((part) => paths.get(part) as string),
    at,
  )
}
