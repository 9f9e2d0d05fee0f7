import { existsSync, statSync } from "node:fs"
import { join } from "node:path"
import type { BlobReader } from "../../domain/images/store.ts"
import { CannotStart } from "../../kernel/cannot-start.ts"
import { keyFileName } from "../../storage/disk/key-file.ts"
import { readBlobs } from "../../storage/open.ts"
import { requireKnown } from "../../storage/sql/migrations.ts"
import { readUnfinished } from "../../storage/sqlite/unfinished.ts"
import type { Manifest } from "../archive/manifest.ts"
import type { Installation } from "../installation.ts"

/** With a key that does not open the restored secrets the service would not start. */
export function requireSameKey({ secretKey }: Installation, key: Uint8Array | undefined): void {
  if (secretKey && key && Buffer.compare(secretKey, key) !== 0)
    throw new CannotStart("PETSTORE_SECRET_KEY is not the key in the backup: set it to that one, or leave it out")
}

/**
 * Throws CannotStart unless the data of this backup may be put here: where nothing is yet, or where a restore of the same
 * backup was interrupted. Makes nothing, so that a refused restore leaves everything as it was.
 */
export async function requireRestorable(installation: Installation, { database, files }: Manifest): Promise<void> {
  const place = installation.database
  if (place.kind === "sqlite" && database.kind === "sqlite") {
    requireKnown(database.schemaVersion)
    if (readUnfinished(place.file) !== files.sha256) await requireEmpty(installation, place.file)
  } else if (place.kind === "sqlite")
    throw new CannotStart("The backup is of a store on PostgreSQL: set PETSTORE_DATABASE_URL to its restored database")
  else if (database.kind === "sqlite")
    throw new CannotStart(
      "The backup holds an SQLite database: restore it without PETSTORE_DATABASE_URL, then petstore copy",
    )
  else await requireNoOtherImages(installation, database.id)
}

/** Of what a service makes, nothing may be there; files of others do not matter. */
async function requireEmpty({ dataDir, images }: Installation, databaseFile: string): Promise<void> {
  // SQLite would apply a log or a journal that is left beside the database of before to the restored one.
  for (const file of ["", "-wal", "-journal"].map((suffix) => databaseFile + suffix)) {
    const found = statSync(file, { throwIfNoEntry: false })
    if (found && !(found.isFile() && found.size === 0)) refuse(file, "is there already")
  }
  if (await hasImages(await readBlobs({ images }))) refuse(images.directory, "holds images already")
  const keyFile = join(dataDir, keyFileName)
  if (existsSync(keyFile)) refuse(keyFile, "is there already")
}

/** Images of this database may be there, from a restore that was interrupted. */
async function requireNoOtherImages({ images }: Installation, id: string): Promise<void> {
  const blobs = await readBlobs({ images })
  if ((await blobs.owner()) !== id && (await hasImages(blobs))) refuse(images.directory, "holds images already")
}

function refuse(path: string, what: string): never {
  throw new CannotStart(
    `${path} ${what}, and a backup is restored only to where there is no Petstore yet: nothing was changed; move it away, or set another PETSTORE_DATA_DIR`,
  )
}

/** Whether anything is there, or somebody has claimed it. */
export async function hasImages(blobs: BlobReader): Promise<boolean> {
  if ((await blobs.owner()) !== undefined) return true
  for (const keys of [blobs.keptBefore(Number.POSITIVE_INFINITY), blobs.trashed()])
    for await (const _ of keys) return true
  return false
}
