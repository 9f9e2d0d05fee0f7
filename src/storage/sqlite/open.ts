import { dirname } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { Database } from "../../domain/ports.ts"
import { makePrivateDirectory, makePrivateFile } from "../disk/private.ts"
import { releaseEveryClaim } from "../sql/deliveries.ts"
import { LabelMemory } from "../sql/label-memory.ts"
import { migrations, migrationsFrom } from "../sql/migrations.ts"
import { nameKey } from "../sql/name-key.ts"
import { repositories } from "../sql/store.ts"
import { sqliteConnection } from "./connection.ts"
import { sqliteDialect } from "./dialect.ts"
import { GroupCommit } from "./group-commit.ts"
import { lockDatabase } from "./lock.ts"
import { createDiskReserve } from "./reserve.ts"
import { SnapshotMemory } from "./snapshot-memory.ts"
import { unusable } from "./unusable.ts"

/** Opens a store in one SQLite file, created and migrated as needed. Throws CannotStart when it cannot be used. */
export function openSqlite(file: string): Database {
  try {
    makePrivateDirectory(dirname(file))
    makePrivateFile(file)
    const unlock = lockDatabase(file)
    try {
      return openConnections(file, unlock)
    } catch (error) {
      unlock()
      throw error
    }
  } catch (error) {
    throw unusable(file, error)
  }
}

/** Opens one connection for writing and one for reading. */
function openConnections(file: string, unlock: () => void): Database {
  const writer = new DatabaseSync(file)
  const pending = pendingMigrations(writer)
  // FULL: a commit is on the disk before its transaction resolves. The rest is for speed.
  writer.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA busy_timeout = 5000;
    PRAGMA cache_size = -16384;
    PRAGMA temp_store = MEMORY;
  `)
  migrate(writer, pending)
  // No other process uses the database, so every claim is of a process that has ended.
  for (const statement of releaseEveryClaim) writer.exec(statement.text(sqliteDialect))
  const reader = new DatabaseSync(file, { readOnly: true })
  reader.exec("PRAGMA busy_timeout = 5000; PRAGMA cache_size = -16384")

  // Nobody else writes, so one snapshot serves every read until the next commit: a read costs no file locks.
  const memory = new SnapshotMemory()
  const snapshot = {
    hold: () => void (reader.isTransaction || reader.exec("BEGIN")),
    release: () => {
      memory.clear()
      if (reader.isTransaction) reader.exec("ROLLBACK")
    },
  }
  const labels = new LabelMemory()
  const commits = new GroupCommit(writer, createDiskReserve(writer, file), {
    beforeCommit: snapshot.release,
    committed: () => labels.commit(),
    rolledBack: () => labels.rollback(),
  })
  const inside = repositories(sqliteConnection(writer, { noteChange: (change) => commits.noteChange(change), labels }))
  return {
    ...repositories(sqliteConnection(reader, { beforeEach: snapshot.hold, memory })),
    transaction: (work) => commits.run(() => work(inside)),
    onCommit: (listener) => commits.listen(listener),
    async close() {
      await commits.idle()
      reader.close()
      writer.close()
      unlock()
    },
  }
}

/** What brings the schema up to date; throws, before anything is touched, when a newer version wrote the file. */
function pendingMigrations(db: DatabaseSync): string[] {
  const { user_version: version } = db.prepare("PRAGMA user_version").get() as { user_version: number }
  return migrationsFrom(version, sqliteDialect)
}

/** Changes the schema in one transaction; `user_version` is the number of migrations it has had. */
function migrate(db: DatabaseSync, pending: readonly string[]): void {
  if (pending.length === 0) return
  db.function("name_key", { deterministic: true }, (name) => nameKey(String(name ?? "")))
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
