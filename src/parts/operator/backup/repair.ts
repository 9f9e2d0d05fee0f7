// Decision: docs/decisions/operator.md#a-repair-restores-what-has-the-stored-hash

import { type HashedKind, type HashedText, type HashStore, hashedKinds } from "../../../core/domain/ports/hashes.ts"
import { type Database, StoreUnavailable } from "../../../core/domain/ports/store.ts"
import { CannotStart } from "../../../core/kernel/cannot-start.ts"
import { toSqliteError } from "../../../core/sqlite/connection.ts"
import { openSqliteReader } from "../../../core/sqlite/reader.ts"
import { type ArchiveReader, databaseName } from "../archive/archive.ts"
import type { Repair } from "../contract.ts"
import { damagedIds, isCompared } from "../installation/damage.ts"
import { readManifest } from "./verify.ts"

const recordsAtOnce = 500

type Candidate = { address: string; archive: ArchiveReader }
type UsableBackup = Candidate & { createdAt: string; schemaVersion: number }
type DamagedOne = { kind: HashedKind; id: number }

/**
 * Restores every damaged record whose last version one of these backups has, from the newest of them. Other records stay as they are,
 * and a backup that cannot be read does not keep an older one from being used. Throws CannotStart when none is of this database.
 */
export async function repair(store: Database, candidates: readonly Candidate[]): Promise<Repair> {
  const unreadable: Repair["unreadable"][number][] = []
  async function unlessUnreadable<T>({ address }: Candidate, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      unreadable.push({ backup: address, reason: error.message })
      return undefined
    }
  }

  const backups: UsableBackup[] = []
  const id = await store.origin.identity()
  for (const one of candidates) backups.push(...((await unlessUnreadable(one, () => describe(one, id))) ?? []))
  if (backups.length === 0) throw new CannotStart(noBackup(unreadable))
  const left = new Set(await findDamaged(store.hashes))
  const repaired: Repair["repaired"][number][] = []
  for (const backup of backups.sort((a, b) => b.createdAt.localeCompare(a.createdAt)))
    if (left.size > 0)
      await unlessUnreadable(backup, async () => {
        for await (const one of restoreFrom(store, backup, left)) {
          repaired.push({ ...one, from: backup.createdAt })
          left.delete(one)
        }
      })
  return { repaired, left: [...left], unreadable }
}

const noBackup = (unreadable: Repair["unreadable"]): string =>
  ["There is no backup of this database", ...unreadable.map(({ backup, reason }) => `${backup}: ${reason}`)].join("; ")

/** The backup, if it is of this database. */
async function describe(candidate: Candidate, id: string): Promise<UsableBackup[]> {
  const { createdAt, database } = await read(() => readManifest(candidate.archive))
  if (database.kind !== "sqlite" || database.id !== id) return []
  return [{ ...candidate, createdAt, schemaVersion: database.schemaVersion }]
}

async function findDamaged(hashes: HashStore): Promise<DamagedOne[]> {
  const found: DamagedOne[] = []
  for (const kind of hashedKinds)
    for await (const id of damagedIds((after) => hashes.examine(kind, after, recordsAtOnce))) found.push({ kind, id })
  return found
}

/** Restores those of which the backup has this version intact, and yields each. */
async function* restoreFrom(
  store: Database,
  { archive, schemaVersion }: UsableBackup,
  damaged: Iterable<DamagedOne>,
): AsyncGenerator<DamagedOne> {
  using backup = await read(async () => openSqliteReader(await archive.local(databaseName)))
  const { hashes } = backup
  for (const one of [...damaged].filter(({ kind }) => isCompared(kind, schemaVersion))) {
    const { kind, id } = one
    const kept = await read(() => hashes.read(kind, id))
    const current = await store.hashes.read(kind, id)
    if (!current || !kept || !hashes.isIntact(kind, kept) || !isSameVersion(current, kept)) continue
    await store.transaction((tx) => tx.hashes.replace(kind, id, kept))
    yield one
  }
}

/** Either of both may be what is damaged. */
const isSameVersion = (one: HashedText, other: HashedText): boolean =>
  one.hash === other.hash || one.json === other.json

/** A backup that is damaged, or whose files cannot be read; the message is the reason. */
class Unreadable extends Error {}

/** The result of reading a backup. Throws Unreadable. */
async function read<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const known = toSqliteError(error) as NodeJS.ErrnoException
    const isOfFile = known instanceof CannotStart || known instanceof StoreUnavailable || known.syscall !== undefined
    throw isOfFile ? new Unreadable(known.message) : error
  }
}
