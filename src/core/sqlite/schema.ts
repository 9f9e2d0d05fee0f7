import type { DatabaseSync } from "node:sqlite"
import { migrations, migrationsFrom } from "../sql/migrations.ts"
import { nameKey } from "../sql/pets/name-key.ts"
import { sqliteDialect } from "./dialect.ts"

export const readSqliteVersion = (db: DatabaseSync): number =>
  (db.prepare("PRAGMA user_version").get() as { user_version: number }).user_version

export const namesOfTables = (db: DatabaseSync): string[] =>
  db
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite^_%' ESCAPE '^' ORDER BY name",
    )
    .all()
    .map(({ name }) => String(name))

export function applyMigrations(db: DatabaseSync, version = 0): void {
  addMigrationFunctions(db)
  for (const statement of migrationsFrom(version, sqliteDialect)) db.exec(statement)
}

export const addMigrationFunctions = (db: DatabaseSync): void =>
  db.function("name_key", { deterministic: true }, (name) => nameKey(String(name ?? "")))

/** Migrates from `version` to the newest schema in one transaction. */
export function updateSchema(db: DatabaseSync, version: number): void {
  if (version === migrations.length) return
  db.exec("BEGIN IMMEDIATE")
  try {
    applyMigrations(db, version)
    db.exec(`PRAGMA user_version = ${migrations.length}; COMMIT`)
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK")
    throw error
  }
}
