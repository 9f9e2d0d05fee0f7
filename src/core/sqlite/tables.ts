import { DatabaseSync, type SQLInputValue } from "node:sqlite"
import { makePrivateFile } from "../disk/private.ts"
import type { TableRows } from "../domain/ports/store.ts"
import { restarted } from "../sql/started-over.ts"
import { quote, type Table } from "../sql/tables.ts"
import { applyMigrations, namesOfTables, updateSchema } from "./schema.ts"

/** Every table of the newest schema, each after those it refers to. */
export function newestTables(): Table[] {
  using db = new DatabaseSync(":memory:")
  applyMigrations(db)
  const inOrder: string[] = []
  const visit = (name: string): void => {
    if (inOrder.includes(name)) return
    for (const { parent } of db.prepare(`SELECT "table" AS parent FROM pragma_foreign_key_list(?)`).all(name))
      if (parent !== name) visit(String(parent))
    inOrder.push(name)
  }
  namesOfTables(db).forEach(visit)
  return inOrder.map((name) => describe(db, name))
}

function describe(db: DatabaseSync, name: string): Table {
  const columns = db.prepare("SELECT name, type, pk FROM pragma_table_info(?) ORDER BY cid").all(name)
  const key = columns.filter(({ pk }) => Number(pk) > 0).sort((a, b) => Number(a.pk) - Number(b.pk))
  return {
    name,
    columns: columns.map((column) => ({ name: String(column.name), isInteger: column.type === "INTEGER" })),
    key: key.map((column) => String(column.name)),
    hasGeneratedId:
      db.prepare("SELECT 1 FROM sqlite_schema WHERE name = ? AND sql LIKE '%AUTOINCREMENT%'").all(name).length > 0,
  }
}

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

/** All rows of a database that is not written to, in the order of their keys, each table and row read when it is asked for. */
export function* readTables(
  file: string,
): Generator<Omit<TableRows, "rows"> & { rows: Iterable<TableRows["rows"][number]> }> {
  using db = new DatabaseSync(file, { readOnly: true })
  for (const { name, columns, key } of movedTables()) {
    const order = key.map(quote).join(", ")
    const statement = db.prepare(`SELECT ${columns.map(quote).join(", ")} FROM ${quote(name)} ORDER BY ${order}`)
    statement.setReturnArrays(true)
    yield { name, columns, rows: statement.iterate() as Iterable<unknown> as Iterable<TableRows["rows"][number]> }
  }
}

/** Makes a database of the newest schema with these rows. Throws RowRefused. */
export function makeDatabase(file: string, tables: readonly TableRows[]): void {
  makePrivateFile(file)
  using db = new DatabaseSync(file)
  db.exec("PRAGMA auto_vacuum = INCREMENTAL")
  updateSchema(db, 0)
  fillTables(db, tables)
}

/** Replaces the rows of a database of the newest schema: nothing in them is run. Throws RowRefused. */
export function fillTables(db: DatabaseSync, tables: readonly TableRows[]): void {
  db.exec("PRAGMA foreign_keys = OFF; BEGIN")
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
  db.exec("COMMIT; PRAGMA foreign_keys = ON")
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
