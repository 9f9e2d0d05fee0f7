import { existsSync } from "node:fs"
import { dirname } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { Database, StoreUnavailable } from "../../domain/ports/store.ts"
import { makePrivateDirectory, makePrivateFile } from "../disk/private.ts"
import { migrations, migrationsFrom } from "../sql/migrations.ts"
import { endEveryLease } from "../sql/nouns/leases.ts"
import { forgetReplicas } from "../sql/nouns/replicas.ts"
import { LabelMemory } from "../sql/pets/label-memory.ts"
import { releaseEveryClaim } from "../sql/release-claims.ts"
import { repositories } from "../sql/store.ts"
import { createCheckpoint } from "./checkpoint.ts"
import { sqliteConnection } from "./connection.ts"
import { sqliteDialect } from "./dialect.ts"
import { type Disk, endProcess, openDisk } from "./disk.ts"
import { GroupCommit } from "./group-commit.ts"
import { lockDatabase } from "./lock.ts"
import { sqliteMetrics } from "./metrics.ts"
import { addMigrationFunctions } from "./migration-functions.ts"
import { boundSize, createDiskReserve } from "./reserve.ts"
import { SnapshotMemory } from "./snapshot-memory.ts"
import { unusable } from "./unusable.ts"
import { giveBackPages } from "./vacuum.ts"
import { type Tell, watchFlushes } from "./watch-flushes.ts"
import { watchWrites } from "./watch-writes.ts"

/** What the store asks of the machine, for tests that let it fail, and whom it tells of failures that it survives. */
type Machine = { openDisk(db: DatabaseSync): Disk; endProcess(error: StoreUnavailable): void; tell?: Tell }

/** How large a database may become, and what each of its two connections remembers of it. */
type Size = { bytesMax: number; cacheKiB: number }

/** Opens a store in one SQLite file, created and migrated as needed. Throws CannotStart when it cannot be used. */
export function openSqlite(file: string, machine: Machine = { openDisk, endProcess }, size?: Size): Database {
  try {
    makePrivateDirectory(dirname(file))
    makePrivateFile(file)
    const unlock = lockDatabase(file)
    try {
      return openConnections(file, machine, unlock, size)
    } catch (error) {
      unlock()
      throw error
    }
  } catch (error) {
    throw unusable(file, error)
  }
}

/** Brings a file up to date, or creates it; returns the versions before and after. Throws CannotStart. */
export async function migrateSqlite(file: string): Promise<{ from: number; to: number }> {
  const from = existsSync(file) ? versionOf(file) : 0
  await openSqlite(file).close()
  return { from, to: migrations.length }
}

function versionOf(file: string): number {
  try {
    using db = new DatabaseSync(file, { readOnly: true })
    return readVersion(db)
  } catch (error) {
    throw unusable(file, error)
  }
}

/** Opens one connection for writing and one for reading. */
function openConnections(
  file: string,
  { openDisk, endProcess, tell = () => {} }: Machine,
  unlock: () => void,
  size?: Size,
): Database {
  const { bytesMax, cacheKiB = 16_384 } = size ?? {}
  const writer = new DatabaseSync(file)
  const pending = pendingMigrations(writer)
  writer.exec(`
    -- A new database can shrink; what is deleted, which may tell of people, is overwritten.
    PRAGMA auto_vacuum = INCREMENTAL;
    PRAGMA secure_delete = ON;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA busy_timeout = 5000;
    PRAGMA cache_size = -${cacheKiB};
    PRAGMA temp_store = MEMORY;
  `)
  migrate(writer, pending)
  // No other process uses the database, so whatever is held is held by a process that has ended.
  for (const statement of [...releaseEveryClaim, endEveryLease, forgetReplicas])
    writer.exec(statement.text(sqliteDialect))
  // From here on GroupCommit puts commits on the disk, and copies the log.
  writer.exec("PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0")
  const reader = new DatabaseSync(file, { readOnly: true })
  reader.exec(`PRAGMA busy_timeout = 5000; PRAGMA cache_size = -${cacheKiB}`)
  const disk = watchFlushes(openDisk(writer), {
    stalled(refusal) {
      commits.refuse(refusal)
      tell("flush", refusal.message)
    },
    answered() {
      commits.resume()
      tell("flush", undefined)
    },
  })

  // Nobody else writes, so one snapshot serves every read until the next commit is durable: a read costs no file locks.
  const memory = new SnapshotMemory()
  const anyRow = reader.prepare("SELECT 1 FROM sqlite_schema LIMIT 1")
  const snapshot = {
    hold: () => void (reader.isTransaction || reader.exec("BEGIN")),
    /** Fixes it to what is stored now: a transaction has no snapshot before its first read. */
    pin: () => {
      snapshot.hold()
      anyRow.get()
    },
    release: () => {
      memory.clear()
      if (reader.isTransaction) reader.exec("ROLLBACK")
    },
  }
  const labels = new LabelMemory()
  const reserve = bytesMax === undefined ? createDiskReserve(writer, file) : boundSize(writer, bytesMax)
  const health = watchWrites(reserve.isFull, () => commits.run(async () => writer.exec(writeNothingNew)))
  const checkpoint = createCheckpoint(writer, { disk, tell: (reason) => tell("checkpoint", reason) })
  const commits = new GroupCommit(writer, {
    disk,
    checkpoint,
    reserve,
    hooks: {
      beforeCommit: snapshot.pin,
      committed(isWritten) {
        labels.commit()
        if (isWritten) health.succeeded()
      },
      durable: snapshot.release,
      rolledBack(error) {
        labels.rollback()
        health.failed(error)
      },
      failed: endProcess,
    },
  })
  const inside = repositories(sqliteConnection(writer, { noteChange: (change) => commits.noteChange(change), labels }))
  return {
    product: `SQLite ${process.versions.sqlite}`,
    isShared: false,
    ...repositories(sqliteConnection(reader, { beforeEach: snapshot.hold, memory })),
    transaction: (work) => commits.run(() => work(inside)),
    onCommit: (listener) => commits.listen(listener),
    refusesWrites: () => commits.refusal ?? health.refusal(),
    degraded: checkpoint.degraded,
    metrics: [...sqliteMetrics(file, () => commits.waiting), ...disk.metrics, ...checkpoint.metrics],
    compact: () => giveBackPages(writer, (work) => commits.run(work)),
    async close() {
      health.close()
      await commits.idle()
      reader.close()
      writer.close()
      disk.close()
      unlock()
    },
  }
}

/** The smallest change there is: a page is written, and says what it said before. */
const writeNothingNew = `PRAGMA user_version = ${migrations.length}`

/** What brings the schema up to date; throws, before anything is touched, when a newer version wrote the file. */
function pendingMigrations(db: DatabaseSync): string[] {
  return migrationsFrom(readVersion(db), sqliteDialect)
}

const readVersion = (db: DatabaseSync): number =>
  (db.prepare("PRAGMA user_version").get() as { user_version: number }).user_version

/** Changes the schema in one transaction; `user_version` is the number of migrations it has had. */
function migrate(db: DatabaseSync, pending: readonly string[]): void {
  if (pending.length === 0) return
  addMigrationFunctions(db)
  db.exec("BEGIN IMMEDIATE")
  try {
    for (const statement of pending) db.exec(statement)
    db.exec(`PRAGMA user_version = ${migrations.length}`)
    db.exec("COMMIT")
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK")
    throw error
  }
}
