import { DatabaseSync } from "node:sqlite"
import type { SqlConnection } from "../../src/core/sql/statement.ts"
import { sqliteConnection } from "../../src/core/sqlite/connection.ts"
import { applyMigrations } from "../../src/core/sqlite/schema.ts"

/** A database in memory with the newest schema, for tests of statements. */
export function migratedDatabase(): { db: DatabaseSync; connection: SqlConnection } & Disposable {
  const db = new DatabaseSync(":memory:")
  applyMigrations(db)
  return { db, connection: sqliteConnection(db, {}), [Symbol.dispose]: () => db.close() }
}
