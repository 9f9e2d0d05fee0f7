import type { TableRows } from "../../src/core/domain/ports/store.ts"
import { readTables } from "../../src/core/sqlite/tables.ts"

/** All tables of a database with their rows. */
export const tablesIn = (file: string): TableRows[] =>
  Array.from(readTables(file), ({ rows, ...table }) => ({ ...table, rows: [...rows] }))
