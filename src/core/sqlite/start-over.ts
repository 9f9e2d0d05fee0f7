// Decision: docs/decisions/storage-sqlite.md#a-reset-writes-a-new-database-over-the-old-one

import { backup, DatabaseSync } from "node:sqlite"
import type { Repositories, TableRows } from "../domain/ports/store.ts"
import { kept } from "../sql/started-over.ts"
import { repositories } from "../sql/store.ts"
import { sqliteConnection } from "./connection.ts"
import { updateSchema } from "./schema.ts"
import { fillTables } from "./tables.ts"

/** All of them, because SQLite commits after the last step. */
const pagesAtOnce = 2 ** 30

/** Creates a database in memory with what `fill` writes into an empty store, or into one with these tables. */
export async function openFresh(
  fill: (tx: Repositories) => Promise<void>,
  tables: Iterable<TableRows> | undefined,
): Promise<DatabaseSync> {
  const fresh = new DatabaseSync(":memory:")
  try {
    fresh.exec("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA foreign_keys = ON")
    updateSchema(fresh, 0)
    if (tables) await fillTables(fresh, tables)
    fresh.exec("BEGIN")
    await fill(repositories(sqliteConnection(fresh, {})))
    fresh.exec("COMMIT")
    return fresh
  } catch (error) {
    fresh.close()
    throw error
  }
}

/** Copies the rows that stay. No transaction may be open. */
export function keepRows(writer: DatabaseSync, fresh: DatabaseSync): void {
  fresh.exec("BEGIN")
  for (const table of Object.keys(kept)) {
    fresh.exec(`DELETE FROM ${table}`)
    for (const row of writer.prepare(`SELECT * FROM ${table}`).all()) {
      const names = Object.keys(row)
      const add = fresh.prepare(
        `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
      )
      add.run(...Object.values(row))
    }
  }
  fresh.exec("COMMIT")
}

/**
 * Writes a database over the one in this file: SQLite's backup writes every page of it to the log in one transaction, which sets the
 * new size too, and flushes it. It runs on a thread of libuv and a connection of its own, so no transaction may be open.
 */
export async function overwrite(file: string, fresh: DatabaseSync): Promise<void> {
  await backup(fresh, file, { rate: pagesAtOnce })
}
