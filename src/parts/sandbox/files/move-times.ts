import { DatabaseSync } from "node:sqlite"
import { setImmediate as nextTurn } from "node:timers/promises"
import { tablesOfColumns } from "../../../core/sql/hashes/tables.ts"

/**
 * Moves the times in the data of a first start, in a database that no process has open, in turns of the event loop, so that the newest
 * key was created at this time (ms).
 */
export async function moveTimesTo(file: string, at: number): Promise<void> {
  using db = new DatabaseSync(file)
  const { newest } = db.prepare("SELECT max(created_at) AS newest FROM keys").get() as { newest: number }
  db.exec("BEGIN")
  for (const table of db.prepare(tablesWithTimes).all() as TimeTable[]) await moveIn(db, table, at - newest)
  db.exec("COMMIT")
}

type TimeTable = { name: string; texts: string; integers: string }

const tablesWithTimes = String.raw`
  SELECT tables.name,
    coalesce(group_concat(columns.name) FILTER (WHERE columns.type = 'TEXT'), '') AS texts,
    coalesce(group_concat(columns.name) FILTER (WHERE columns.type <> 'TEXT'), '') AS integers
  FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
  WHERE tables.type = 'table' AND (
    columns.name LIKE '%\_at' ESCAPE '\' OR columns.name LIKE '%\_since' ESCAPE '\'
    OR columns.name LIKE '%\_until' ESCAPE '\' OR columns.name = 'ends_by')
  GROUP BY tables.name`

const rowsAtOnce = 1000

async function moveIn(db: DatabaseSync, { name, texts, integers }: TimeTable, ms: number): Promise<void> {
  const moved = [
    ...namesIn(texts).map((column) => `${column} = strftime('%Y-%m-%dT%H:%M:%fZ', ${column}, '${ms / 1000} seconds')`),
    ...namesIn(integers).map((column) => `${column} = ${column} + ${ms}`),
    ...(tablesOfColumns.has(name) ? ["text_hash = NULL"] : []),
  ]
  const findLast = db.prepare(
    `SELECT rowid AS last FROM ${name} WHERE rowid > ? ORDER BY rowid LIMIT 1 OFFSET ${rowsAtOnce - 1}`,
  )
  const move = db.prepare(`UPDATE ${name} SET ${moved.join(", ")} WHERE rowid > ? AND rowid <= ?`)
  for (let from = -1, isDone = false; !isDone; ) {
    const { last = Number.MAX_SAFE_INTEGER } = (findLast.get(from) ?? {}) as { last?: number }
    move.run(from, last)
    isDone = last === Number.MAX_SAFE_INTEGER
    from = last
    await nextTurn()
  }
}

const namesIn = (list: string): string[] => list.split(",").filter((name) => name !== "")
