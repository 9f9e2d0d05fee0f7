import type { TableRow, TableRows } from "../../src/core/domain/ports/store.ts"
import { readTables } from "../../src/core/sqlite/tables.ts"

export type WholeTable = TableRows & { rows: readonly TableRow[] }

/** All tables of a database with their rows. */
export const tablesIn = (file: string): WholeTable[] =>
  Array.from(readTables(file), ({ rows, ...table }) => ({ ...table, rows: [...rows] }))
