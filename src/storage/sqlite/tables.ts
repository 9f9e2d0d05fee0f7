import { DatabaseSync } from "node:sqlite"
import type { Table } from "../sql/tables.ts"
import { applyMigrations, namesOfTables } from "./schema.ts"

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
