import { existsSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { makePrivateDirectory, makePrivateFile } from "../disk/private.ts"
import type { Change, Database, Store, StoreUnavailable } from "../domain/ports/store.ts"
import { gauge, type Metric } from "../kernel/measure.ts"
import { migrations, requireKnown } from "../sql/migrations.ts"
import { LabelMemory } from "../sql/pets/label-memory.ts"
import { releaseEverything } from "../sql/release.ts"
import { SharedTransactions } from "../sql/shared-transactions.ts"
import type { SqlConnection } from "../sql/statement.ts"
import { repositories } from "../sql/store.ts"
import { createCheckpoint } from "./checkpoint.ts"
import { sqliteConnection } from "./connection.ts"
import { sqliteDialect } from "./dialect.ts"
import { type Disk, endProcess, openDisk } from "./disk.ts"
import { GroupCommit } from "./group-commit.ts"
import { lockDatabase } from "./lock.ts"
import { boundSize, createDiskReserve } from "./reserve.ts"
import { readSqliteVersion, updateSchema } from "./schema.ts"
import { Snapshot } from "./snapshot.ts"
import { keepRows, openFresh, overwrite } from "./start-over.ts"
import { toSqliteStartError } from "./unusable.ts"
import { giveBackPages } from "./vacuum.ts"
import { type ReportFailure, watchFlushes } from "./watch-flushes.ts"
import { watchWrites } from "./watch-writes.ts"

/** The machine, which tests let fail, and `report`, which receives failures that the store survives. */
type Machine = { openDisk(db: DatabaseSync): Disk; endProcess(error: StoreUnavailable): void; report: ReportFailure }

/** The maximum size, and the cache of each of the two connections. */
type Size = { bytesMax: number; cacheKiB: number }

/** Opens a store in one SQLite file, created and migrated as needed. Throws CannotStart. */
export function openSqlite(file: string, machine: Partial<Machine> = {}, size?: Size): Database {
  try {
    makePrivateDirectory(dirname(file))
    makePrivateFile(file)
    const unlock = lockDatabase(file)
    try {
      return openConnections(file, { openDisk, endProcess, report: () => {}, ...machine }, unlock, size)
    } catch (error) {
      unlock()
      throw error
    }
  } catch (error) {
    throw toSqliteStartError(file, error)
  }
}

/** Creates or migrates a file; returns the schema versions before and after. Throws CannotStart. */
export async function migrateSqlite(file: string): Promise<{ from: number; to: number }> {
  const from = existsSync(file) ? versionOf(file) : 0
  await openSqlite(file).close()
  return { from, to: migrations.length }
}

/** The schema version of a file. Throws CannotStart. */
export function versionOf(file: string): number {
  try {
    using db = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
    return readSqliteVersion(db)
  } catch (error) {
    throw toSqliteStartError(file, error)
  }
}

function openConnections(
  file: string,
  { openDisk, endProcess, report }: Machine,
  unlock: () => void,
  { bytesMax, cacheKiB = 16_384 }: Partial<Size> = {},
): Database {
  const writer = openWriter(file, cacheKiB)
  const snapshot = new Snapshot(file, cacheKiB)
  const disk = watchFlushes(openDisk(writer), {
    stalled(refusal) {
      commits.refuse(refusal)
      report("flush", refusal.message)
    },
    answered() {
      commits.resume()
      report("flush", undefined)
    },
  })
  const labels = new LabelMemory()
  const reserve = bytesMax === undefined ? createDiskReserve(writer, file) : boundSize(writer, bytesMax)
  const health = watchWrites(reserve.isFull, () => commits.run(async () => writer.exec(writeNothingNew)))
  const checkpoint = createCheckpoint(writer, disk, (reason) => report("checkpoint", reason))
  const commits = new GroupCommit(writer, disk, checkpoint, reserve, {
    beforeCommit: () => snapshot.pin(),
    committed(isWritten) {
      labels.commit()
      if (isWritten) health.succeeded()
    },
    durable: () => snapshot.release(),
    rolledBack(error) {
      labels.rollback()
      health.failed(error)
    },
    failed: endProcess,
  })
  const noteChange = (change: Change) => commits.noteChange(change)
  const noteText: SqlConnection["noteText"] = (table, id) => snapshot.texts.change(table, id)
  const noteWritten = (rows: number) => commits.noteWritten(rows)
  const inside = repositories(sqliteConnection(writer, { noteChange, noteWritten, labels, noteText }))
  const transaction: Store["transaction"] = (work) => commits.run(() => work(inside))
  // They commit in groups anyway.
  const shared = new SharedTransactions({ common: transaction, commonMax: Number.POSITIVE_INFINITY })
  return {
    product: `SQLite ${process.versions.sqlite}`,
    isShared: false,
    backgroundMax: Number.POSITIVE_INFINITY,
    ...repositories(snapshot.connect()),
    transaction,
    shared: (work, input) => shared.run(work, input),
    async startOver(fill, tables) {
      using fresh = await openFresh(fill, tables)
      await commits.alone(async () => {
        keepRows(writer, fresh)
        await disk.watch(() => overwrite(file, fresh))
        labels.clear()
        snapshot.texts.replace()
        checkpoint.request()
      })
    },
    onCommit: (listener) => commits.listen(listener),
    refusesWrites: () => commits.refusal ?? health.refusal(),
    degraded: checkpoint.degraded,
    metrics: [...sqliteMetrics(file, commits), ...shared.metrics, ...disk.metrics, ...checkpoint.metrics],
    compact: () => giveBackPages(writer, (work) => commits.run(work)),
    async close() {
      health.close()
      await commits.idle()
      snapshot.close()
      writer.close()
      disk.close()
      unlock()
    },
  }
}

/** Opens the only writing connection, migrates the database, and releases what ended processes held. */
function openWriter(file: string, cacheKiB: number): DatabaseSync {
  const writer = new DatabaseSync(file)
  const version = readSqliteVersion(writer)
  // Before any change.
  requireKnown(version)
  writer.exec(`
    -- A new database can shrink; what is deleted, which may be personal, is overwritten.
    PRAGMA auto_vacuum = INCREMENTAL;
    PRAGMA secure_delete = ON;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA busy_timeout = 5000;
    PRAGMA cache_size = -${cacheKiB};
    PRAGMA temp_store = MEMORY;
  `)
  updateSchema(writer, version)
  // No other process uses the database.
  for (const statement of releaseEverything) writer.exec(statement.text(sqliteDialect))
  // From here on GroupCommit flushes commits and copies the log.
  writer.exec("PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0")
  return writer
}

/** The smallest write: rewrites a page with the same value. */
const writeNothingNew = `PRAGMA user_version = ${migrations.length}`

const sqliteMetrics = (file: string, commits: GroupCommit): readonly Metric[] => [
  gauge("petstore_commits_waiting", "Transactions that wait to be committed", () => commits.waiting),
  gauge("petstore_database_size_bytes", "Size of the database file", () => sizeOf(file)),
  gauge("petstore_database_wal_size_bytes", "Size of the write-ahead log beside it", () => sizeOf(`${file}-wal`)),
]

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0
