// Decision: docs/decisions/operator.md#a-repair-restores-what-has-the-stored-hash

import { type HashedKind, type HashedText, type HashStore, hashedKinds } from "../../../core/domain/ports/hashes.ts"
import type { Database } from "../../../core/domain/ports/store.ts"
import { CannotStart } from "../../../core/kernel/cannot-start.ts"
import { openSqliteReader } from "../../../core/sqlite/reader.ts"
import { type ArchiveReader, databaseName } from "../archive/archive.ts"
import type { Repair } from "../contract.ts"
import { damagedIds, isCompared } from "../installation/damage.ts"
import { readManifest } from "./verify.ts"

const recordsAtOnce = 500

type DamagedOne = { kind: HashedKind; id: number }

/**
 * Restores every damaged record whose last version one of these backups has, from the newest of them. Other records stay as they are.
 * Throws CannotStart when no backup is of this database.
 */
export async function repair(store: Database, archives: readonly ArchiveReader[]): Promise<Repair> {
  const backups = await backupsOf(await store.origin.identity(), archives)
  if (backups.length === 0) throw new CannotStart("There is no backup of this database")
  let left = await findDamaged(store.hashes)
  const repaired: Repair["repaired"][number][] = []
  for (const { archive, createdAt, schemaVersion } of backups) {
    if (left.length === 0) break
    using backup = openSqliteReader(await archive.local(databaseName))
    const others: DamagedOne[] = []
    for (const one of left) {
      const isThere = isCompared(one.kind, schemaVersion)
      if (isThere && (await restoreOne(store, backup.hashes, one))) repaired.push({ ...one, from: createdAt })
      else others.push(one)
    }
    left = others
  }
  return { repaired, left }
}

/** The backups of a database, the newest first. */
async function backupsOf(id: string, archives: readonly ArchiveReader[]) {
  const found: { archive: ArchiveReader; createdAt: string; schemaVersion: number }[] = []
  for (const archive of archives) {
    const { createdAt, database } = await readManifest(archive)
    if (database.kind === "sqlite" && database.id === id)
      found.push({ archive, createdAt, schemaVersion: database.schemaVersion })
  }
  return found.sort((a, b) => b.createdAt.localeCompare(a.createdAt))
}

async function findDamaged(hashes: HashStore): Promise<DamagedOne[]> {
  const found: DamagedOne[] = []
  for (const kind of hashedKinds)
    for await (const id of damagedIds((after) => hashes.examine(kind, after, recordsAtOnce))) found.push({ kind, id })
  return found
}

/** False when the backup does not have this version of the record intact. */
async function restoreOne(store: Database, backup: HashStore, { kind, id }: DamagedOne): Promise<boolean> {
  const [current, kept] = [await store.hashes.read(kind, id), await backup.read(kind, id)]
  if (!current || !kept || !backup.isIntact(kind, kept) || !isSameVersion(current, kept)) return false
  await store.transaction((tx) => tx.hashes.replace(kind, id, kept))
  return true
}

/** Either of both may be what is damaged. */
const isSameVersion = (one: HashedText, other: HashedText): boolean =>
  one.hash === other.hash || one.json === other.json
