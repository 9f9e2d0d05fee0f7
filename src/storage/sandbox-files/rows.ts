import { DatabaseSync, type SQLInputValue } from "node:sqlite"
import { makePrivateFile } from "../disk/private.ts"
import { restarted } from "../sql/started-over.ts"
import { quote } from "../sql/tables.ts"
import { updateSchema } from "../sqlite/schema.ts"
import { newestTables } from "../sqlite/tables.ts"

/** The columns and the rows of a table, which contain text and integers. */
export type TableRows = {
  name: string
  columns: readonly string[]
  rows: readonly (readonly (string | number | null)[])[]
}

/** The files of a sandbox. */
export type SandboxLocations = { databaseFile: string; imageDirectory: string }

/** A row that a table does not accept; the first is 0. */
export class RowRefused extends Error {
  readonly table: string
  readonly row: number

  constructor(table: string, row: number, cause: unknown) {
    super((cause as Error).message, { cause })
    this.table = table
    this.row = row
  }
}

/** Tables whose rows belong to a process, or to one file. */
const notMoved: ReadonlySet<string> = new Set(["identity", "leases", "replicas", "clock_checks"])

type MovedTable = { name: string; columns: readonly string[]; key: readonly string[] }

let moved: readonly MovedTable[] | undefined

/** The tables of the newest schema that have the data of a store, each after those it refers to. */
export function movedTables(): readonly MovedTable[] {
  moved ??= [
    ...newestTables()
      .filter(({ name }) => !notMoved.has(name))
      .map(({ name, columns, key }) => ({ name, key, columns: columns.map((column) => column.name) })),
    // The last generated ids.
    { name: "sqlite_sequence", columns: ["name", "seq"], key: ["name"] },
  ]
  return moved
}

/** All rows of a database that is not written to, in the order of their keys. */
export function readTables(file: string): TableRows[] {
  using db = new DatabaseSync(file, { readOnly: true })
  return movedTables().map(({ name, columns, key }) => {
    const order = key.map(quote).join(", ")
    const statement = db.prepare(`SELECT ${columns.map(quote).join(", ")} FROM ${quote(name)} ORDER BY ${order}`)
    statement.setReturnArrays(true)
    return { name, columns, rows: statement.all() as unknown as TableRows["rows"] }
  })
}

/** Makes a database of the newest schema with these rows: nothing in them is run. Throws RowRefused. */
export function makeDatabase(file: string, tables: readonly TableRows[]): void {
  makePrivateFile(file)
  using db = new DatabaseSync(file)
  db.exec("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA foreign_keys = OFF")
  updateSchema(db, 0)
  db.exec("BEGIN")
  const required = new Map(restarted.map((name) => [name, keysIn(db, name)]))
  for (const { name } of tables) db.exec(`DELETE FROM ${quote(name)}`)
  for (const table of tables) addRows(db, table)
  for (const [name, keys] of required)
    if (keysIn(db, name) !== keys) throw new RowRefused(name, 0, new Error(`the table must have the rows ${keys}`))
  for (const [name, question] of Object.entries(counts)) {
    const { isBehind } = db.prepare(`SELECT ${question} AS "isBehind"`).get() as { isBehind: number }
    if (isBehind) throw new RowRefused(name, 0, new Error("a number that is given next is in use"))
  }
  if (keysIn(db, "origin") === "") throw new RowRefused("origin", 0, new Error("the table must have a row"))
  const [dangling] = db.prepare('SELECT "table" AS name, parent FROM pragma_foreign_key_check LIMIT 1').all()
  if (dangling)
    throw new RowRefused(String(dangling.name), 0, new Error(`refers to missing rows of ${dangling.parent}`))
  db.exec("COMMIT")
}

/** Whether a count is behind what was counted; the ids of other tables skip those in use. */
const counts = {
  audit_head: "(SELECT last FROM audit_head) < (SELECT coalesce(max(id), 0) FROM audit)",
  counters: "(SELECT last FROM counters WHERE name = 'events') < (SELECT coalesce(max(position), 0) FROM events)",
}

/** The primary keys of a table that has one column for it. */
function keysIn(db: DatabaseSync, name: string): string {
  const { key } = movedTables().find((table) => table.name === name) as MovedTable
  const [column = ""] = key
  const rows = db.prepare(`SELECT ${quote(column)} AS key FROM ${quote(name)} ORDER BY 1`).all()
  return rows.map((row) => row.key).join(", ")
}

function addRows(db: DatabaseSync, { name, columns, rows }: TableRows): void {
  // A migration and the rows before may have given ids.
  if (name === "sqlite_sequence") db.exec("DELETE FROM sqlite_sequence")
  const names = columns.map(quote).join(", ")
  const add = db.prepare(`INSERT INTO ${quote(name)} (${names}) VALUES (${columns.map(() => "?").join(", ")})`)
  rows.forEach((row, n) => {
    try {
      add.run(...(row as SQLInputValue[]))
    } catch (error) {
      throw new RowRefused(name, n, error)
    }
  })
}
