import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { newestTables } from "../../src/core/sqlite/tables.ts"
import { machineWith, petstoreCommand, type Ran } from "./command-line.ts"
import type { startPetstore } from "./petstore.ts"

/** Runs the command line on the machine of the service with this data directory and these settings. */
export const onMachine = (dataDir: string, argv: readonly string[], env: Record<string, string> = {}): Promise<Ran> =>
  petstoreCommand("http://127.0.0.1:1", argv, machineWith({ PETSTORE_DATA_DIR: dataDir, ...env }))

/** Copies an archive, so that a test can damage the copy. */
export function copyOf(archive: string, name: string): string {
  const copy = `${archive}-${name.replaceAll("/", "-")}`
  cpSync(archive, copy, { recursive: true })
  return copy
}

/** Flips one bit in the middle of a file. A second call restores the file. */
export function damage(file: string): void {
  const bytes = readFileSync(file)
  const middle = Math.floor(bytes.length / 2)
  bytes[middle] = (bytes[middle] ?? 0) ^ 1
  writeFileSync(file, bytes)
}

/** Changes the database of a running service behind its back, as a failing disk does. */
export async function changeOnDisk({ databaseFile, as }: Petstore, statement: string): Promise<void> {
  {
    using db = new DatabaseSync(databaseFile, { timeout: 5000 })
    db.exec(statement)
  }
  // The service reads what is there after its next commit.
  await as("special-key").addPet({ body: { name: "next", photoUrls: [] } })
}

type Petstore = Pick<Awaited<ReturnType<typeof startPetstore>>, "databaseFile" | "as">

/** Whether the data directory has neither a database nor a key. */
export const isUntouched = (dataDir: string): boolean =>
  !existsSync(join(dataDir, "petstore.db")) && !existsSync(join(dataDir, "secret.key"))

/** Inserts three rows into every table, with values that a faulty copy would change. */
export function fillEveryTable(file: string): void {
  using db = new DatabaseSync(file)
  db.exec("PRAGMA foreign_keys = OFF; BEGIN")
  for (const { name, columns } of newestTables()) {
    db.exec(`DELETE FROM "${name}"`)
    for (const n of [1, 2, 3]) {
      const values = columns.map((column) => (column.isInteger ? integer(column.name, n) : text(name, column.name, n)))
      db.prepare(`INSERT INTO "${name}" VALUES (${columns.map(() => "?").join(", ")})`).run(...values)
    }
  }
  db.exec(`DELETE FROM inventory; INSERT INTO inventory (status, pets) VALUES ('available', 7), ('pending', 8), ('sold', 9);
           DELETE FROM counters;
           INSERT INTO counters (name, last) VALUES ('pets', 41), ('orders', 42), ('users', 43), ('events', ${Number.MAX_SAFE_INTEGER}), ('consents', 45), ('events-removed', 40);
           DELETE FROM identity WHERE id LIKE '%2' OR id LIKE '%3';
           UPDATE sqlite_sequence SET seq = seq + 50; COMMIT`)
}

/** Ids refer to each other; all other integers are near the maximum. */
const integer = (column: string, n: number): number =>
  column === "id" || column.endsWith("_id") ? n : column === "slot" ? 0 : Number.MAX_SAFE_INTEGER - n

const text = (table: string, column: string, n: number): string | null =>
  column === "description" && n === 2 ? null : `${table}.${column} 'ünï' \\ "🐕" ${n}`
