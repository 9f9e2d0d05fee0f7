import { join } from "node:path"
import { requireSealingKey } from "../../../core/crypto/sealing-key.ts"
import { keyFileName, readKeyFile } from "../../../core/disk/key-file.ts"
import { inGroups } from "../../../core/kernel/flow/in-groups.ts"
import { readBlobs } from "../../replicas/storage.ts"
import { type ArchiveWriter, databaseName, listName } from "../archive/archive.ts"
import { type FileList, openFileList } from "../archive/file-list.ts"
import { bytesOf, sumOf, sumOfFile } from "../archive/hash.ts"
import { formatManifest, type Manifest, mayHoldSecrets } from "../archive/manifest.ts"
import type { MissingImage, Report } from "../contract.ts"
import { allImages, copyImage } from "../installation/images.ts"
import type { Installation } from "../installation/installation.ts"
import { openPostgresBackup, openSqliteCopy, type Source } from "./source.ts"

/**
 * Writes a consistent backup of database, images and sealing key, also while the service is running. The database is copied
 * first, so that all its images exist when they are copied. The manifest lists images whose files are missing or damaged,
 * and records that do not match their hashes.
 * Throws CannotStart.
 */
export async function backUp(
  installation: Installation,
  writer: ArchiveWriter,
  now: number,
  report: Report,
): Promise<Manifest> {
  const { database: origin, secretKey, version } = installation
  const draft = writer.draft(databaseName)
  await using source =
    origin.kind === "sqlite" ? await openSqliteCopy(origin.file, draft, report) : await openPostgresBackup(origin.url)
  await using list = await openFileList(writer.draft(listName))
  const unavailable = await copyImages(installation, source, writer, list.add, report)
  const { database, needed } = await source.withoutImages(unavailable.map(({ sha256 }) => sha256))
  const missing = unavailable.filter(({ sha256 }) => needed.has(sha256))
  const key = await keyText(installation, source)
  if (database.kind === "sqlite") {
    await list.add({ name: databaseName, ...(await sumOfFile(draft)) })
    await writer.add(databaseName)
  }
  const isKeyStored = key !== undefined && secretKey === undefined
  if (isKeyStored) {
    await list.add({ name: keyFileName, ...(await sumOf(bytesOf(key))) })
    await writer.write(keyFileName, bytesOf(key))
  }
  const files = { count: await list.end(), ...(await sumOfFile(writer.draft(listName))) }
  await writer.add(listName)
  const createdAt = new Date(now).toISOString()
  const sealingKey = isKeyStored ? "stored" : "not stored"
  const complete: Manifest = { createdAt, program: version, database, sealingKey, files }
  const { damaged } = source
  const manifest = { ...complete, ...(missing.length > 0 && { missing }), ...(damaged.length > 0 && { damaged }) }
  await writer.finish(formatManifest(manifest))
  return manifest
}

const copiesAtOnce = 8

/** Copies all images of the database; resolves with those whose files cannot be copied. */
async function copyImages(
  installation: Installation,
  { description, repositories }: Source,
  writer: ArchiveWriter,
  add: FileList["add"],
  report: Report,
): Promise<MissingImage[]> {
  const count = description.kind === "sqlite" ? (description.rows.images ?? 0) : undefined
  if (count === 0) return []
  const blobs = await readBlobs(installation)
  const missing: MissingImage[] = []
  let done = 0
  for await (const images of inGroups(allImages(repositories.images), copiesAtOnce)) {
    const copied = await Promise.all(
      images.map(async (image) => ({ image, files: await copyImage(image, blobs, writer) })),
    )
    for (const { image, files } of copied)
      if (typeof files === "string") missing.push({ sha256: image.sha256, key: image.blob, reason: files })
      else for (const file of files) await add(file)
    done += images.length
    report("images", done, count, "images")
  }
  return missing
}

/** The text of the key file, after checking that the key opens the database's secrets; undefined when there is no key. */
async function keyText(
  { secretKey, dataDir }: Installation,
  { description, repositories }: Source,
): Promise<string | undefined> {
  const key = secretKey ?? readKeyFile(join(dataDir, keyFileName))
  if (mayHoldSecrets(description)) await requireSealingKey(repositories, { secretKey, dataDir })
  return key && `${Buffer.from(key).toString("base64")}\n`
}
