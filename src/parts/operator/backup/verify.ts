import { dirname } from "node:path"
import { text } from "node:stream/consumers"
import { requireSealingKey } from "../../../core/crypto/sealing-key.ts"
import { keyFileName, readKeyFile } from "../../../core/disk/key-file.ts"
import { imageParts } from "../../../core/domain/images/contract.ts"
import { CannotStart } from "../../../core/kernel/cannot-start.ts"
import { describeDatabase, findDamage } from "../../../core/sqlite/description.ts"
import { openSqliteReader } from "../../../core/sqlite/reader.ts"
import { type ArchiveReader, databaseName, listName, manifestName } from "../archive/archive.ts"
import { type ListedFile, readFileList } from "../archive/file-list.ts"
import { bytesOf, sumOf } from "../archive/hash.ts"
import { type Manifest, mayHoldSecrets, parseManifest } from "../archive/manifest.ts"
import type { DamagedRecords, Report } from "../contract.ts"
import { findDamagedRecords } from "../installation/damage.ts"
import { allImages, isWhole } from "../installation/images.ts"

/** The maximum number of reported problems. */
const findingsMax = 50

/** Verifies an archive: all hashes, the database with SQLite's checks, the files of all its images, and the key. */
export async function verifyArchive(
  archive: ArchiveReader,
  report: Report,
): Promise<{ manifest: Manifest; wrong: string[] }> {
  const manifest = await readManifest(archive)
  const wrong = await findWrongFiles(archive, manifest, report)
  // Compare the database with the list only if both are intact.
  if (wrong.length === 0) wrong.push(...(await findContradictions(archive, manifest)))
  return { manifest, wrong }
}

/** Throws CannotStart when the manifest was modified. */
export const readManifest = async (archive: ArchiveReader): Promise<Manifest> =>
  parseManifest(await text((await archive.read(manifestName)) ?? bytesOf("")))

async function findWrongFiles(archive: ArchiveReader, { files }: Manifest, report: Report): Promise<string[]> {
  const list = await archive.read(listName)
  if (list === undefined) return [`${listName} is missing`]
  const { bytes, sha256 } = await sumOf(list)
  if (bytes !== files.bytes || sha256 !== files.sha256) return [`${listName} was modified`]

  const wrong: string[] = []
  let done = 0
  for await (const file of listedFiles(archive)) {
    const problem = await findProblem(archive, file)
    if (problem && wrong.push(`${file.name} ${problem}`) === findingsMax) return wrong
    report("files", ++done, files.count, "files")
  }
  let present = 0
  for await (const name of archive.names()) if (name !== manifestName && name !== listName) present++
  if (wrong.length === 0 && present !== files.count) wrong.push(`it contains ${present} files but lists ${files.count}`)
  return wrong
}

async function findProblem(archive: ArchiveReader, { name, bytes, sha256 }: ListedFile): Promise<string | undefined> {
  const content = await archive.read(name)
  if (content === undefined) return "is missing"
  const found = await sumOf(content)
  return found.bytes === bytes && found.sha256 === sha256 ? undefined : "was modified"
}

async function findContradictions(
  archive: ArchiveReader,
  { database, sealingKey, missing = [] }: Manifest,
): Promise<string[]> {
  if (database.kind === "postgres") return []
  const file = await archive.local(databaseName)
  const wrong = findDamage(file)
  const found = { kind: database.kind, ...describeDatabase(file) }
  if (JSON.stringify(found) !== JSON.stringify(database)) wrong.push("the database does not match the manifest")
  const absent = new Set(missing.map(({ sha256 }) => sha256))
  if (found.rows.images !== undefined) wrong.push(...(await findImageContradictions(archive, file, absent)))
  if (sealingKey === "stored" && mayHoldSecrets(found)) wrong.push(...(await findKeyProblem(archive, file)))
  return wrong.slice(0, findingsMax)
}

/** The list contains the files of images in the order of the database, except absent ones, followed by all other files. */
async function findImageContradictions(
  archive: ArchiveReader,
  file: string,
  absent: ReadonlySet<string>,
): Promise<string[]> {
  using database = openSqliteReader(file)
  const list = listedFiles(archive)
  for await (const image of allImages(database.images)) {
    if (absent.has(image.sha256)) continue
    const files: ListedFile[] = []
    for (const _ of imageParts) {
      const { value } = await list.next()
      if (value) files.push(value)
    }
    if (!isWhole(image, files)) return [`the files of image ${image.sha256} do not match the database`]
  }
  const { value: next } = await list.next()
  return next?.name === databaseName ? [] : [`the database has no image with the file ${next?.name}`]
}

async function findKeyProblem(archive: ArchiveReader, file: string): Promise<string[]> {
  try {
    using database = openSqliteReader(file)
    await requireSealingKey(database, { secretKey: undefined, dataDir: dirname(await archive.local(keyFileName)) })
    return []
  } catch (error) {
    if (error instanceof CannotStart) return [error.message]
    throw error
  }
}

/** The records in the database of an intact archive that do not match their hashes. */
export async function findDamagedIn(archive: ArchiveReader, { database }: Manifest): Promise<DamagedRecords[]> {
  if (database.kind === "postgres") return []
  using opened = openSqliteReader(await archive.local(databaseName))
  return await findDamagedRecords(opened, database.schemaVersion)
}

/** The sealing key in an archive; undefined when there is none. */
export async function readKey(archive: ArchiveReader, { sealingKey }: Manifest): Promise<Uint8Array | undefined> {
  return sealingKey === "stored" ? readKeyFile(await archive.local(keyFileName)) : undefined
}

export async function* listedFiles(archive: ArchiveReader): AsyncGenerator<ListedFile> {
  const list = await archive.read(listName)
  if (list) yield* readFileList(list)
}
