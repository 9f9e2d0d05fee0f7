import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite"
import { setImmediate as nextTurn } from "node:timers/promises"
import { makePrivateFile } from "../disk/private.ts"
import { hashedKinds } from "../domain/ports/hashes.ts"
import type { TableRow, TableRows } from "../domain/ports/store.ts"
import type { Examined } from "../kernel/examined.ts"
import { createYielder } from "../kernel/flow/yielder.ts"
import { hashStore, storeHash } from "../sql/hashes/hashes.ts"
import { hashedTables } from "../sql/hashes/tables.ts"
import { restarted } from "../sql/started-over.ts"
import { quote, type Table } from "../sql/tables.ts"
import { sqliteConnection } from "./connection.ts"
import { boundSize } from "./reserve.ts"
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

export type MovedTable = { name: string; columns: readonly string[]; key: readonly string[] }

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
export function* readTables(file: string): Generator<TableRows> {
  using db = new DatabaseSync(file, { readOnly: true })
  for (const table of movedTables()) yield rowsOf(db, table)
}

function rowsOf(db: DatabaseSync, { name, columns, key }: MovedTable): TableRows {
  const order = key.map(quote).join(", ")
  const statement = db.prepare(`SELECT ${columns.map(quote).join(", ")} FROM ${quote(name)} ORDER BY ${order}`)
  statement.setReturnArrays(true)
  return { name, columns, rows: statement.iterate() as Iterable<unknown> as TableRows["rows"] }
}

/** Makes a database of the newest schema, of at most so many bytes. Unless it is finished it has no rows. Disposal closes it. */
export function createDatabase(file: string, bytesMax?: number): TableFiller & Disposable {
  makePrivateFile(file)
  const db = new DatabaseSync(file)
  db.exec("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA synchronous = OFF")
  updateSchema(db, 0)
  if (bytesMax !== undefined) boundSize(db, bytesMax)
  const filler = fillerOf(db)
  return {
    ...filler,
    async finish() {
      await correctHashes(db)
      await filler.finish()
    },
    [Symbol.dispose]: () => db.close(),
  }
}

/** Stores the hashes of records whose columns a person may have edited, also in another table. */
async function correctHashes(db: DatabaseSync): Promise<void> {
  const connection = sqliteConnection(db, {})
  const { examine } = hashStore(connection)
  for (const kind of hashedKinds.filter((kind) => hashedTables[kind].columns))
    for (let after: number | undefined = 0; after !== undefined; ) {
      const { damaged, last }: Examined = await examine(kind, after, recordsAtOnce)
      for (const id of damaged) await storeHash(connection, kind, id)
      after = last
      await nextTurn()
    }
}

const recordsAtOnce = 100

/** Replaces the rows of a database of the newest schema, in turns of the event loop. Throws RowRefused. */
export async function fillTables(db: DatabaseSync, tables: Iterable<TableRows>): Promise<void> {
  const turns = createYielder()
  const filler = fillerOf(db)
  for (const { name, rows } of tables) {
    let n = 0
    for (const row of rows) {
      filler.add(name, row, n++)
      if (turns.isOver()) await turns.next()
    }
  }
  await filler.finish()
}

/** The rows of a database of the newest schema while they are replaced: nothing in them is run. */
export type TableFiller = {
  /** Adds a row with a value for each column; `n` is its number in the table, from 0. Throws RowRefused. */
  add(table: string, row: TableRow, n: number): void
  /** Ends the transaction with what rows must be together. Throws RowRefused. */
  finish(): Promise<void>
}

function fillerOf(db: DatabaseSync): TableFiller {
  db.exec("PRAGMA foreign_keys = OFF; BEGIN")
  const required = new Map(restarted.map((name) => [name, keysIn(db, name)]))
  for (const { name } of movedTables()) db.exec(`DELETE FROM ${quote(name)}`)
  const statements = new Map(movedTables().map((table) => [table.name, insertInto(db, table)]))

  return {
    add(table, row, n) {
      // The rows before may have given ids.
      if (table === "sqlite_sequence" && n === 0) db.exec("DELETE FROM sqlite_sequence")
      try {
        statements.get(table)?.run(...(row as SQLInputValue[]))
      } catch (error) {
        throw new RowRefused(table, n, error)
      }
    },
    async finish() {
      requireConsistent(db, required)
      await requireReferences(db)
      db.exec("COMMIT; PRAGMA foreign_keys = ON")
    },
  }
}

function insertInto(db: DatabaseSync, { name, columns }: MovedTable): StatementSync {
  const names = columns.map(quote).join(", ")
  return db.prepare(`INSERT INTO ${quote(name)} (${names}) VALUES (${columns.map(() => "?").join(", ")})`)
}

/** Throws unless the tables have the rows that others count on. */
function requireConsistent(db: DatabaseSync, required: ReadonlyMap<string, string>): void {
  for (const [name, keys] of required)
    if (keysIn(db, name) !== keys) throw new RowRefused(name, 0, new Error(`the table must have the rows ${keys}`))
  for (const [name, question] of Object.entries(counts)) {
    const { isBehind } = db.prepare(`SELECT ${question} AS "isBehind"`).get() as { isBehind: number }
    if (isBehind) throw new RowRefused(name, 0, new Error("a number that is given next is in use"))
  }
  if (keysIn(db, "origin") === "") throw new RowRefused("origin", 0, new Error("the table must have a row"))
}

async function requireReferences(db: DatabaseSync): Promise<void> {
  const check = db.prepare("SELECT parent FROM pragma_foreign_key_check(?) LIMIT 1")
  for (const { name } of movedTables()) {
    await nextTurn()
    const dangling = check.get(name)
    if (dangling) throw new RowRefused(name, 0, new Error(`refers to missing rows of ${dangling.parent}`))
  }
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
