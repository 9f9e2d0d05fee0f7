import { realpathSync } from "node:fs"
import { rename } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import type { BlobStore } from "../domain/ports.ts"
import { CannotStart } from "../kernel/cannot-start.ts"
import { flush } from "../storage/disk/flush.ts"
import { makePrivateDirectory } from "../storage/disk/private.ts"
import { openBlobs } from "../storage/open.ts"
import { migrationsFrom } from "../storage/sql/migrations.ts"
import { sqliteDialect } from "../storage/sqlite/dialect.ts"
import { inUseError, lockFile } from "../storage/sqlite/lock.ts"
import { makeUnfinished, readUnfinished } from "../storage/sqlite/unfinished.ts"
import type { Manifest } from "./archive/manifest.ts"
import type { ArchiveReader } from "./archive/place.ts"
import type { Installation } from "./installation.ts"
import type { Report } from "./report.ts"
import { requireEmpty, requireNoOtherImages, requireSameKey } from "./restore-conditions.ts"
import { compareFiles, restoreFiles } from "./restore-files.ts"
import { readKey, verifyArchive } from "./verify.ts"

/**
 * Puts a backup where this installation keeps its data and where nothing is yet. No service starts there before all of it
 * is in place; interrupted, it is run again. Throws CannotStart.
 */
export async function restore(
  installation: Installation,
  archive: ArchiveReader,
  now: number,
  report: Report,
): Promise<Manifest> {
  const { manifest, wrong } = await verifyArchive(archive, report)
  if (wrong.length > 0) throw new CannotStart(`The backup is damaged, nothing was restored: ${wrong.join("; ")}`)
  requireSameKey(installation, await readKey(archive, manifest))

  const { dataDir, database } = installation
  const restoreInto = async (blobs: BlobStore, databaseDraft: string) => {
    const { id } = manifest.database
    if (id !== null && (await blobs.owner()) !== id) await blobs.claim(id)
    const destination = { blobs, dataDir, databaseDraft }
    await restoreFiles(archive, manifest, destination, now, report)
    await compareFiles(archive, manifest, destination, report)
  }
  if (database.kind === "sqlite") await restoreSqlite(installation, database.file, manifest, restoreInto)
  else await restoreBesidePostgres(installation, manifest, restoreInto)
  return manifest
}

type RestoreInto = (blobs: BlobStore, databaseDraft: string) => Promise<void>

async function restoreSqlite(
  installation: Installation,
  databaseFile: string,
  { database, files }: Manifest,
  restoreInto: RestoreInto,
): Promise<void> {
  if (database.kind !== "sqlite")
    throw new CannotStart("The backup is of a store on PostgreSQL: set PETSTORE_DATABASE_URL to its restored database")
  migrationsFrom(database.schemaVersion, sqliteDialect)
  makePrivateDirectory(dirname(databaseFile))
  const file = join(realpathSync(dirname(databaseFile)), basename(databaseFile))
  const unlock = lockFile(`${file}.lock`)
  if (!unlock) throw inUseError(file)
  try {
    const { blobs } = await openBlobs(installation)
    // Whoever starts a service now is told to run this command again.
    if (readUnfinished(file) !== files.sha256) {
      await requireEmpty(installation, file, blobs)
      makeUnfinished(file, files.sha256)
    }
    const draft = `${file}.restored`
    await restoreInto(blobs, draft)
    await rename(draft, file)
    await flush(dirname(file))
  } finally {
    unlock()
  }
}

/** The database has been restored by its own tools; images and key are put beside it. */
async function restoreBesidePostgres(installation: Installation, { database }: Manifest, restoreInto: RestoreInto) {
  if (database.kind !== "postgres")
    throw new CannotStart(
      "The backup holds an SQLite database: restore it without PETSTORE_DATABASE_URL, then petstore copy",
    )
  const { blobs } = await openBlobs(installation)
  await requireNoOtherImages(installation, blobs, database.id)
  await restoreInto(blobs, "")
}
