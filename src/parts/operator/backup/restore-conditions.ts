import { existsSync, statSync } from "node:fs"
import { join } from "node:path"
import { keyFileName } from "../../../core/disk/key-file.ts"
import type { BlobReader } from "../../../core/domain/images/store.ts"
import { CannotStart } from "../../../core/kernel/cannot-start.ts"
import { requireKnown } from "../../../core/sql/migrations.ts"
import { readUnfinished } from "../../../core/sqlite/unfinished.ts"
import { readBlobs } from "../../replicas/storage.ts"
import type { Manifest } from "../archive/manifest.ts"
import type { Installation } from "../installation/installation.ts"

/** The service would not start with a key that does not open the restored secrets. */
export function requireSameKey({ secretKey }: Installation, key: Uint8Array | undefined): void {
  if (secretKey && key && Buffer.compare(secretKey, key) !== 0)
    throw new CannotStart("PETSTORE_SECRET_KEY is not the key in the backup: set it to that key, or unset it")
}

/**
 * Throws CannotStart unless this backup may be restored here: the target must be empty, or contain an interrupted restore of the
 * same backup. Creates nothing, so a refused restore changes nothing.
 */
export async function requireRestorable(installation: Installation, { database, files }: Manifest): Promise<void> {
  const target = installation.database
  if (target.kind === "sqlite" && database.kind === "sqlite") {
    requireKnown(database.schemaVersion)
    if (readUnfinished(target.file) !== files.sha256) await requireEmpty(installation, target.file)
  } else if (target.kind === "sqlite")
    throw new CannotStart("The backup is of a store on PostgreSQL: set PETSTORE_DATABASE_URL to its restored database")
  else if (database.kind === "sqlite")
    throw new CannotStart(
      "The backup contains an SQLite database: restore it without PETSTORE_DATABASE_URL, then run petstore copy",
    )
  else await requireNoOtherImages(installation, database.id)
}

/** Throws when files of a service exist. Other files are ignored. */
async function requireEmpty({ dataDir, images }: Installation, databaseFile: string): Promise<void> {
  // SQLite would apply the leftover log or journal of an earlier database to the restored one.
  for (const file of ["", "-wal", "-journal"].map((suffix) => databaseFile + suffix)) {
    const found = statSync(file, { throwIfNoEntry: false })
    if (found && !(found.isFile() && found.size === 0)) refuse(file, "already exists")
  }
  if (await hasImages(await readBlobs({ images }))) refuse(images.directory, "already contains images")
  const keyFile = join(dataDir, keyFileName)
  if (existsSync(keyFile)) refuse(keyFile, "already exists")
}

/** Allows images of the same database, from an interrupted restore. */
async function requireNoOtherImages({ images }: Installation, id: string): Promise<void> {
  const blobs = await readBlobs({ images })
  if ((await blobs.owner()) !== id && (await hasImages(blobs))) refuse(images.directory, "already contains images")
}

function refuse(path: string, what: string): never {
  throw new CannotStart(
    `${path} ${what}, and a backup can be restored only to an empty target: nothing was changed; move the data away, or set another PETSTORE_DATA_DIR`,
  )
}

/** Whether there are images, or a database has claimed the storage. */
export async function hasImages(blobs: BlobReader): Promise<boolean> {
  if ((await blobs.owner()) !== undefined) return true
  for (const keys of [blobs.keptBefore(Number.POSITIVE_INFINITY), blobs.trashed()])
    for await (const _ of keys) return true
  return false
}
