import { DatabaseSync } from "node:sqlite"
import { namesOfTables, readVersion } from "./schema.ts"

/** What tells one database file from another. */
export type DatabaseDescription = {
  /** The random id a database shares with its copies; null before it had one. */
  id: string | null
  schemaVersion: number
  /** How many rows each table holds. */
  rows: Record<string, number>
}

/** Describes a database nobody is writing to. */
export function describeDatabase(file: string): DatabaseDescription {
  using db = new DatabaseSync(file, { readOnly: true })
  const number = (query: string) => Number(Object.values(db.prepare(query).get() ?? {})[0])
  const rows = Object.fromEntries(namesOfTables(db).map((name) => [name, number(`SELECT count(*) FROM "${name}"`)]))
  const identity = rows.identity ? (db.prepare("SELECT id FROM identity").get() as { id: string }) : undefined
  return { id: identity?.id ?? null, schemaVersion: readVersion(db), rows }
}

/**
 * What SQLite finds wrong with a database: damage of the file, and rows that refer to others that are not there. The quick
 * check does not compare indexes with their tables.
 */
export function findDamage(file: string, check: "integrity_check" | "quick_check" = "integrity_check"): string[] {
  using db = new DatabaseSync(file, { readOnly: true })
  const damage = db.prepare(`PRAGMA ${check}(20)`).all()
  const dangling = db.prepare('SELECT DISTINCT "table" AS name, parent FROM pragma_foreign_key_check').all()
  return [
    ...damage.map((row) => String(row[check])).filter((said) => said !== "ok"),
    ...dangling.map(({ name, parent }) => `rows of ${name} refer to rows of ${parent} that are not there`),
  ]
}
