import { DatabaseSync } from "node:sqlite"
import { CannotStart } from "../../kernel/cannot-start.ts"

/**
 * Makes this process the only one on the database: holds an operating-system lock on a file beside it, which ends with
 * the process however that ends. Answers how to let go.
 */
export function lockDatabase(file: string): () => void {
  const lock = new DatabaseSync(`${file}.lock`)
  try {
    lock.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
  } catch (error) {
    lock.close()
    throw (error as { errcode?: number }).errcode === 5 ? inUse(file) : error
  }
  return () => lock.close()
}

const inUse = (file: string) =>
  new CannotStart(
    `Another Petstore is using ${file}. Stop it first, or start this one with a different PETSTORE_DATA_DIR. ` +
      "Several processes can share one store on PostgreSQL.",
  )
