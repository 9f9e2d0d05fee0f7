import type { DatabaseSync } from "node:sqlite"
import { nameKey } from "../sql/pets/name-key.ts"

/** Adds the functions that statements of migrations call. */
export const addMigrationFunctions = (db: DatabaseSync): void =>
  db.function("name_key", { deterministic: true }, (name) => nameKey(String(name ?? "")))
