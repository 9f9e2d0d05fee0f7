import { DatabaseSync } from "node:sqlite"

/** Moves all times in a database that no process has open, so that the newest key was created at this time (ms). */
export function moveTimesTo(file: string, at: number): void {
  using db = new DatabaseSync(file)
  const { newest } = db.prepare("SELECT max(created_at) AS newest FROM keys").get() as { newest: number }
  const ms = at - newest
  db.exec("BEGIN")
  for (const { table, column, type } of db.prepare(columnsOfTimes).all() as TimeColumn[]) {
    const moved =
      type === "TEXT" ? `strftime('%Y-%m-%dT%H:%M:%fZ', ${column}, '${ms / 1000} seconds')` : `${column} + ${ms}`
    db.exec(`UPDATE ${table} SET ${column} = ${moved} WHERE ${column} IS NOT NULL`)
  }
  db.exec("COMMIT")
}

type TimeColumn = { table: string; column: string; type: string }

const columnsOfTimes = String.raw`
  SELECT tables.name AS "table", columns.name AS "column", columns.type
  FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
  WHERE tables.type = 'table' AND (columns.name LIKE '%\_at' ESCAPE '\' OR columns.name LIKE '%\_since' ESCAPE '\')`
