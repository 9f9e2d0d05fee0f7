import { DatabaseSync } from "node:sqlite"
import { namesOfTables, readSqliteVersion } from "./schema.ts"

/** What distinguishes one database file from another. */
export type DatabaseDescription = {
  /** A random id that a database shares with its copies; null before it had one. */
  id: string | null
  schemaVersion: number
  /** The number of rows of each table. */
  rows: Record<string, number>
}

/** Describes a database without writers. */
export function describeDatabase(file: string): DatabaseDescription {
  using db = new DatabaseSync(file, { readOnly: true })
  const number = (query: string) => Number(Object.values(db.prepare(query).get() ?? {})[0])
  const rows = Object.fromEntries(namesOfTables(db).map((name) => [name, number(`SELECT count(*) FROM "${name}"`)]))
  const identity = rows.identity ? (db.prepare("SELECT id FROM identity").get() as { id: string }) : undefined
  return { id: identity?.id ?? null, schemaVersion: readSqliteVersion(db), rows }
}

/** Damage that SQLite finds: of the file, and references to missing rows. The quick check does not compare indexes with tables. */
export function findDamage(file: string, check: "integrity_check" | "quick_check" = "integrity_check"): string[] {
  using db = new DatabaseSync(file, { readOnly: true })
  const damage = db.prepare(`PRAGMA ${check}(20)`).all()
  const dangling = db.prepare('SELECT DISTINCT "table" AS name, parent FROM pragma_foreign_key_check').all()
  return [
    ...damage.map((row) => String(row[check])).filter((said) => said !== "ok"),
    ...dangling.map(({ name, parent }) => `rows of ${name} refer to rows of ${parent} that are not there`),
  ]
}
