import { noteBackup } from "../../core/disk/last-backup.ts"
import { StoreUnavailable } from "../../core/domain/ports/store.ts"
import { CannotStart } from "../../core/kernel/cannot-start.ts"
import type { Clock } from "../../core/kernel/clock.ts"
import { locationOfData } from "../../core/kernel/network/database-hosts.ts"
import { requireNewest } from "../../core/sql/migrations.ts"
import { openSqlite, versionOf } from "../../core/sqlite/open.ts"
import type { Locations } from "../../core/storage/locations.ts"
import { migrateDatabase } from "../replicas/storage.ts"
import { archivesAt, openArchiveDirectory, openDirectoryReader } from "./archive/disk.ts"
import { backUp } from "./backup/back-up.ts"
import { repair } from "./backup/repair.ts"
import { restore } from "./backup/restore.ts"
import { findDamagedIn, verifyArchive } from "./backup/verify.ts"
import type { Addresses, Maintenance } from "./contract.ts"
import { copyInstallation } from "./copy/copy.ts"
import { requireOwner } from "./inspection.ts"
import type { Installation } from "./installation/installation.ts"

/** Reads the settings of this machine. Throws CannotStart when they are invalid. */
type Settings = {
  installation(): Installation
  /** The locations of data, with these settings instead of those in the environment. */
  locations(settings: { PETSTORE_DATABASE_URL?: string; PETSTORE_BLOB_URL?: string }): Locations
}

/** Implements the commands that work on the files of this machine's service. */
export function openMaintenance({ installation, locations }: Settings, clock: Clock): Maintenance {
  // All files created from here on, including SQLite's, are private to this user.
  process.umask(0o077)
  const endsAt = ({ database, images }: Addresses) => ({
    database: locations({ PETSTORE_DATABASE_URL: database }).database,
    images: images === undefined ? undefined : locations({ PETSTORE_BLOB_URL: images }),
  })
  /** Opens an archive at this address for writing or reading. */
  async function archiveAt(address: string) {
    const location = address.startsWith("s3:") ? locations({ PETSTORE_BLOB_URL: address }).images : undefined
    if (location?.kind !== "s3")
      return { write: () => openArchiveDirectory(address), read: () => openDirectoryReader(address) }
    const { openArchiveBucket, openBucketReader } = await import("./archive/bucket.ts")
    return { write: () => openArchiveBucket(location), read: () => openBucketReader(location) }
  }

  return {
    migrate: () =>
      explain(async () => {
        const here = locations({})
        return { database: locationOfData(here.database), ...(await migrateDatabase(here)) }
      }),
    backUp: (target, report) =>
      explain(async () => {
        const service = installation()
        await using writer = await (await archiveAt(target)).write()
        const made = await backUp(service, writer, clock.now(), report)
        noteBackup(service.dataDir, made.createdAt)
        return made
      }),
    verify: (source, report) =>
      explain(async () => {
        await using archive = await (await archiveAt(source)).read()
        const { manifest, wrong } = await verifyArchive(archive, report)
        // An older program may have made the backup without comparing them.
        const damaged = wrong.length === 0 ? await findDamagedIn(archive, manifest) : []
        return { ...manifest, ...(damaged.length > 0 && { damaged }), wrong }
      }),
    restore: (source, report) =>
      explain(async () => {
        const service = installation()
        await using archive = await (await archiveAt(source)).read()
        return await restore(service, archive, clock.now(), report)
      }),
    repair: (source) =>
      explain(async () => {
        const { database } = installation()
        if (database.kind !== "sqlite")
          throw new CannotStart("A backup has nothing of a PostgreSQL database: restore it with PostgreSQL's own tools")
        requireOwner(database.file)
        requireNewest(versionOf(database.file), database.file)
        await using opened = new AsyncDisposableStack()
        const candidates = []
        for (const address of await archivesAt(source))
          candidates.push({ address, archive: opened.use(await (await archiveAt(address)).read()) })
        const store = openSqlite(database.file)
        opened.defer(() => store.close())
        return await repair(store, candidates)
      }),
    copy: (from, to, report) => explain(() => copyInstallation(endsAt(from), endsAt(to), clock.now(), report)),
  }
}

/** Unavailable storage is a problem of the operator, not a bug. */
async function explain<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof StoreUnavailable ? new CannotStart(error.message, { cause: error }) : error
  }
}
