import { DatabaseSync } from "node:sqlite"
import type { Repositories } from "../domain/ports/store.ts"
import { repositories } from "../sql/store.ts"
import { sqliteConnection } from "./connection.ts"

/** Reads a database file without writers; changes no file. */
export function openSqliteReader(file: string): Repositories & Disposable {
  const db = new DatabaseSync(file, { readOnly: true })
  return { ...repositories(sqliteConnection(db, {})), [Symbol.dispose]: () => db.close() }
}
