import { mkdirSync } from "node:fs"
import { dirname } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { Store } from "../../domain/store.ts"
import { migrations, migrationsFrom } from "../sql/migrations.ts"
import { questions } from "../sql/store.ts"
import { sqliteConnection } from "./connection.ts"
import { sqliteDialect } from "./dialect.ts"
import { GroupCommit } from "./group-commit.ts"
import { lockDatabase } from "./lock.ts"

/** A store in one SQLite file, made and migrated as needed. Reads have a connection of their own. */
export function openSqlite(file: string): Store & { close(): Promise<void> } {
  mkdirSync(dirname(file), { recursive: true })
  const unlock = lockDatabase(file)
  try {
    const writer = new DatabaseSync(file)
    // FULL: a commit is on the disk before anybody hears of it. The rest is about speed.
    writer.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA foreign_keys = ON;
      PRAGMA busy_timeout = 5000;
      PRAGMA cache_size = -65536;
    `)
    migrate(writer)
    const reader = new DatabaseSync(file, { readOnly: true })
    reader.exec("PRAGMA busy_timeout = 5000; PRAGMA cache_size = -65536")

    // Nobody else writes, so one snapshot serves every read until the next commit: a read costs no file locks.
    const snapshot = {
      hold: () => void (reader.isTransaction || reader.exec("BEGIN")),
      release: () => void (reader.isTransaction && reader.exec("ROLLBACK")),
    }
    const commits = new GroupCommit(writer, snapshot.release)
    const inside = questions(sqliteConnection(writer))
    return {
      ...questions(sqliteConnection(reader, snapshot.hold)),
      transaction: (work) => commits.run(() => work(inside)),
      async close() {
        await commits.idle()
        reader.close()
        writer.close()
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}

/** Brings the schema up to date in one transaction; `user_version` is the number of migrations it has had. */
function migrate(db: DatabaseSync): void {
  const { user_version: version } = db.prepare("PRAGMA user_version").get() as { user_version: number }
  const statements = migrationsFrom(version, sqliteDialect)
  if (statements.length === 0) return
  db.exec("BEGIN IMMEDIATE")
  try {
    for (const statement of statements) db.exec(statement)
    db.exec(`PRAGMA user_version = ${migrations.length}`)
    db.exec("COMMIT")
  } catch (error) {
    db.exec("ROLLBACK")
    throw error
  }
}
