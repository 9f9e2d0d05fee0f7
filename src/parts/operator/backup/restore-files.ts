import { createReadStream, createWriteStream } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { pipeline } from "node:stream/promises"
import { keyFileName, readKeyFile } from "../../../core/disk/key-file.ts"
import { modes, writeOnce } from "../../../core/disk/private.ts"
import { type ImagePart, imageParts } from "../../../core/domain/images/contract.ts"
import type { BlobStore } from "../../../core/domain/ports/blobs.ts"
import { CannotStart } from "../../../core/kernel/cannot-start.ts"
import { inGroups } from "../../../core/kernel/flow/in-groups.ts"
import { type ArchiveReader, databaseName, imageFile, imageOf } from "../archive/archive.ts"
import type { ListedFile } from "../archive/file-list.ts"
import { bytesOf, sumOf } from "../archive/hash.ts"
import type { Manifest } from "../archive/manifest.ts"
import type { Report } from "../contract.ts"
import { putImage } from "../installation/images.ts"
import { listedFiles } from "./verify.ts"

/** The target of a restore; the database has a temporary name. */
type Destination = { blobs: BlobStore; dataDir: string; databaseDraft: string }

const restoredAtOnce = 8

/** Restores all files of a backup, overwriting those of an interrupted restore. */
export async function restoreFiles(
  archive: ArchiveReader,
  { files: { count } }: Manifest,
  destination: Destination,
  now: number,
  report: Report,
): Promise<void> {
  let done = 0
  for await (const files of inGroups(listedFiles(archive), imageParts.length * restoredAtOnce)) {
    const images = new Set(files.flatMap(({ name }) => imageOf(name)?.blob ?? []))
    // The list contains the parts of an image consecutively, and a group contains complete images.
    await Promise.all(
      [...images].map((blob) => putImage(destination.blobs, blob, now, (part) => read(archive, imageFile(blob, part)))),
    )
    for (const { name } of files) if (!imageOf(name)) await restoreFile(archive, name, destination)
    done += files.length
    report("restoring", done, count, "files")
  }
}

async function restoreFile(
  archive: ArchiveReader,
  name: string,
  { dataDir, databaseDraft }: Destination,
): Promise<void> {
  if (name === keyFileName) {
    const file = join(dataDir, keyFileName)
    if (readKeyFile(file) === undefined) writeOnce(file, await text(await read(archive, name)))
    return
  }
  if (name !== databaseName) throw new CannotStart(`The backup contains the unknown file ${name}`)
  await rm(databaseDraft, { force: true })
  await pipeline(
    await read(archive, name),
    createWriteStream(databaseDraft, { mode: modes.file, flags: "wx", flush: true }),
  )
}

async function read(archive: ArchiveReader, name: string): Promise<AsyncIterable<Uint8Array>> {
  const bytes = await archive.read(name)
  if (bytes) return bytes
  throw new CannotStart(`${name} is missing from the backup`)
}

/** Reads the restored files back; throws CannotStart when one differs from the backup's list. */
export async function compareFiles(
  archive: ArchiveReader,
  { files: { count } }: Manifest,
  destination: Destination,
  report: Report,
): Promise<void> {
  let done = 0
  for await (const file of listedFiles(archive)) {
    const found = await sumOf((await readRestored(file, destination)) ?? bytesOf(""))
    if (found.sha256 !== file.sha256)
      throw new CannotStart(`${file.name} differs from the backup after it was restored: check the disk`)
    report("comparing", ++done, count, "files")
  }
}

async function readRestored({ name, bytes }: ListedFile, { blobs, dataDir, databaseDraft }: Destination) {
  const image = imageOf(name)
  if (image) return blobs.read(image.blob, image.part as ImagePart, { start: 0, end: bytes - 1 })
  return createReadStream(name === databaseName ? databaseDraft : join(dataDir, keyFileName))
}
