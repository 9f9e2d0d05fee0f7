// Decision: docs/decisions/operator.md#a-restore-in-progress-is-a-database-of-version--1

import { realpathSync } from "node:fs"
import { rename } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { flush } from "../../../core/disk/flush.ts"
import { makePrivateDirectory } from "../../../core/disk/private.ts"
import type { BlobStore } from "../../../core/domain/ports/blobs.ts"
import { CannotStart } from "../../../core/kernel/cannot-start.ts"
import { inUseError, lockFile } from "../../../core/sqlite/lock.ts"
import { makeUnfinished, readUnfinished } from "../../../core/sqlite/unfinished.ts"
import { openBlobs } from "../../replicas/storage.ts"
import type { ArchiveReader } from "../archive/archive.ts"
import type { Manifest } from "../archive/manifest.ts"
import type { Report } from "../contract.ts"
import type { Installation } from "../installation/installation.ts"
import { requireRestorable, requireSameKey } from "./restore-conditions.ts"
import { compareFiles, restoreFiles } from "./restore-files.ts"
import { readKey, readManifest, verifyArchive } from "./verify.ts"

/**
 * Restores a backup to this installation's empty data directory. No service starts there before the restore is complete; an
 * interrupted restore is run again. Throws CannotStart.
 */
export async function restore(
  installation: Installation,
  archive: ArchiveReader,
  now: number,
  report: Report,
): Promise<Manifest> {
  await requireRestorable(installation, await readManifest(archive))
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
  // PostgreSQL's own tools have restored the database.
  else await restoreInto((await openBlobs(installation)).blobs, "")
  return manifest
}

type RestoreInto = (blobs: BlobStore, databaseDraft: string) => Promise<void>

async function restoreSqlite(
  installation: Installation,
  databaseFile: string,
  manifest: Manifest,
  restoreInto: RestoreInto,
): Promise<void> {
  makePrivateDirectory(dirname(databaseFile))
  const file = join(realpathSync(dirname(databaseFile)), basename(databaseFile))
  const unlock = lockFile(`${file}.lock`)
  if (!unlock) throw inUseError(file)
  try {
    // Another command or a service may have used the directory while the backup was verified.
    await requireRestorable(installation, manifest)
    const { blobs } = await openBlobs(installation)
    // From here on, a service refuses to start until the restore is complete.
    if (readUnfinished(file) === undefined) makeUnfinished(file, manifest.files.sha256)
    const draft = `${file}.restored`
    await restoreInto(blobs, draft)
    await rename(draft, file)
    await flush(dirname(file))
  } finally {
    unlock()
  }
}
