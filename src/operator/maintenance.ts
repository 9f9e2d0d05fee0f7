import type { Addresses, Maintenance } from "../domain/admin/contract.ts"
import { StoreUnavailable } from "../domain/ports/store.ts"
import { CannotStart } from "../kernel/cannot-start.ts"
import type { Clock } from "../kernel/clock.ts"
import { placeOfData } from "../kernel/network/database-hosts.ts"
import { noteBackup } from "../storage/disk/last-backup.ts"
import { migrateDatabase } from "../storage/open.ts"
import type { Bucket, Places } from "../storage/places.ts"
import { openArchiveDirectory, readArchiveDirectory } from "./archive/disk.ts"
import type { ArchiveReader, ArchiveWriter } from "./archive/place.ts"
import { backUp } from "./backup/back-up.ts"
import { restore } from "./backup/restore.ts"
import { verifyArchive } from "./backup/verify.ts"
import { copyInstallation } from "./copy/copy.ts"
import type { Installation } from "./installation.ts"

/** Reads the settings of this machine. Throws CannotStart for those that cannot be used. */
type Settings = {
  installation(): Installation
  /** Only where data is, with these settings in place of those of the environment. */
  places(settings: { PETSTORE_DATABASE_URL?: string; PETSTORE_BLOB_URL?: string }): Places
}

/** What is done with the files of a service on this machine, for the command line. */
export function openMaintenance({ installation, places }: Settings, clock: Clock): Maintenance {
  // What is made from here on, SQLite's files included, is for this user alone.
  process.umask(0o077)
  const databaseAt = (url: string) => places({ PETSTORE_DATABASE_URL: url }).database
  const bucketAt = (address: string) => {
    const images = address.startsWith("s3:") && places({ PETSTORE_BLOB_URL: address }).images
    return images && images.kind === "s3" ? images : undefined
  }
  const endsAt = ({ database, images }: Addresses) => ({
    database: databaseAt(database),
    images: images === undefined ? undefined : places({ PETSTORE_BLOB_URL: images }),
  })
  return {
    migrate: () =>
      explain(async () => {
        const here = places({})
        return { database: placeOfData(here.database), ...(await migrateDatabase(here)) }
      }),
    backUp: (target, report) =>
      explain(async () => {
        const service = installation()
        await using writer = await openWriter(target, bucketAt(target))
        const made = await backUp(service, writer, clock.now(), report)
        noteBackup(service.dataDir, made.createdAt)
        return made
      }),
    verify: (source, report) =>
      explain(async () => {
        await using archive = await openReader(source, bucketAt(source))
        const { manifest, wrong } = await verifyArchive(archive, report)
        return { ...manifest, wrong }
      }),
    restore: (source, report) =>
      explain(async () => {
        const service = installation()
        await using archive = await openReader(source, bucketAt(source))
        return await restore(service, archive, clock.now(), report)
      }),
    copy: (from, to, report) => explain(() => copyInstallation(endsAt(from), endsAt(to), clock.now(), report)),
  }
}

async function openWriter(target: string, bucket: Bucket | undefined): Promise<ArchiveWriter> {
  if (bucket === undefined) return await openArchiveDirectory(target)
  const { openArchiveBucket } = await import("./archive/bucket.ts")
  return await openArchiveBucket(bucket)
}

async function openReader(source: string, bucket: Bucket | undefined): Promise<ArchiveReader> {
  if (bucket === undefined) return await readArchiveDirectory(source)
  const { readArchiveBucket } = await import("./archive/bucket.ts")
  return await readArchiveBucket(bucket)
}

/** Storage that cannot do its work is for a person to put right, not a bug. */
async function explain<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof StoreUnavailable ? new CannotStart(error.message, { cause: error }) : error
  }
}
