import { DatabaseSync } from "node:sqlite"

/** All rows of a database file by table; equal rows give equal text. */
export function dump(file: string): Record<string, string[]> {
  using db = new DatabaseSync(file, { readOnly: true })
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all()
  return Object.fromEntries(
    tables.map(({ name }) => [
      String(name),
      db
        .prepare(`SELECT * FROM "${name}"`)
        .all()
        .map((row) => JSON.stringify(row))
        .sort(),
    ]),
  )
}
