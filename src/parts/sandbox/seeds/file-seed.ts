import { createReadStream } from "node:fs"
import type { Ports } from "../../../core/domain/ports/ports.ts"
import { sealedFor } from "../../../core/domain/ports/sealing.ts"
import type { TableRow, TableRows } from "../../../core/domain/ports/store.ts"
import { readTables } from "../../../core/sqlite/tables.ts"
import { fileOfImage } from "../files/restore-images.ts"
import type { InitialData } from "./initial-data.ts"
import { isThere, keepParts } from "./sample-images.ts"

/** What the data of a sandbox are made with. */
export type SeedPorts = Pick<Ports, "store" | "clock" | "blobs" | "sealing">

type RestoredSandbox = Extract<InitialData, { kind: "sandbox" }>
type Cell = TableRow[number]

/**
 * The tables of a sandbox file as this store can have them: with the keys of its own images, secrets under its own key, and no limits
 * used, because those count by another clock.
 */
export function sandboxFileTables(
  { sealing: before, restored: { databaseFile, imageDirectory } }: RestoredSandbox,
  { store, clock, blobs, sealing }: SeedPorts,
) {
  /** The keys of its images here, by those in the file. */
  const blobOf = new Map<string, string>()

  async function keep(sha256: string, key: string): Promise<void> {
    const blob = blobOf.get(key) ?? (await store.images.read(sha256))?.blob
    const isKept = blob !== undefined && (await isThere(blobs, blob))
    const read = (part: string) => createReadStream(fileOfImage(imageDirectory, key, part))
    blobOf.set(key, isKept ? blob : await keepParts(blobs, read, clock.now()))
  }

  const reseal = (sealed: Cell) =>
    sealing.seal(before.open(String(sealed), sealedFor.webhookSecrets), sealedFor.webhookSecrets)

  function* tables(): Generator<TableRows> {
    for (const table of readTables(databaseFile)) {
      if (table.name === "limit_cells" || table.name === "signing_keys") yield { ...table, rows: [] }
      else if (table.name === "images") yield withCells(table, "blob", (key) => blobOf.get(String(key)) ?? key)
      else yield table.name === "webhook_secrets" ? withCells(table, "sealed", reseal) : table
    }
  }

  return async (): Promise<Iterable<TableRows>> => {
    for (const { name, columns, rows } of readTables(databaseFile))
      for (const row of name === "images" ? rows : [])
        await keep(String(row[columns.indexOf("sha256")]), String(row[columns.indexOf("blob")]))
    return tables()
  }
}

const withCells = (table: TableRows, column: string, change: (cell: Cell) => Cell): TableRows => ({
  ...table,
  rows: changed(table.rows, table.columns.indexOf(column), change),
})

function* changed(rows: Iterable<TableRow>, at: number, change: (cell: Cell) => Cell): Generator<TableRow> {
  for (const row of rows) yield row.with(at, change(row[at] ?? null))
}
