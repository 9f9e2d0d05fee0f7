import { hash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { Readable } from "node:stream"
import { type ImagePart, perPart } from "../domain/images/contract.ts"
import type { StoredImage } from "../domain/images/store.ts"
import type { BlobStore } from "../domain/ports.ts"

const edge = 640
const directory = join(import.meta.dirname, "images")
/** Which of the drawn files is which part; nothing is enlarged. */
const drawn: Record<ImagePart, number> = { original: edge, "320": 320, "1280": edge }

/** Keeps the drawn image of a pet and resolves with its row. */
export async function keepImage(blobs: BlobStore, petName: string, at: number): Promise<StoredImage> {
  const read = (part: ImagePart) =>
    readFile(join(directory, `${petName.toLowerCase().replace(" ", "-")}-${drawn[part]}.webp`))
  await using stage = await blobs.stage(at)
  const files = await Promise.all(
    Object.entries(perPart(read)).map(async ([part, reading]) => {
      const bytes = await reading
      return { part, bytes, path: await stage.write(part, Readable.from([bytes])) }
    }),
  )
  const of = (part: ImagePart) => files.find((file) => file.part === part) as (typeof files)[number]
  return {
    sha256: hash("sha256", of("original").bytes),
    type: "image/webp",
    width: edge,
    height: edge,
    frames: 1,
    bytes: perPart((part) => of(part).bytes.length),
    blob: await blobs.keep(
      perPart((part) => of(part).path),
      at,
    ),
  }
}
