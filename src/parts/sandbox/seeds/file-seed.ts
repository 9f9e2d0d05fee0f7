import type { Ports } from "../../../core/domain/ports/ports.ts"
import { sealedFor } from "../../../core/domain/ports/sealing.ts"
import type { TableRows } from "../../../core/domain/ports/store.ts"
import type { InitialData, SandboxImage } from "./initial-data.ts"
import { isThere, keepParts } from "./sample-images.ts"

/** What the data of a sandbox are made with. */
export type SeedPorts = Pick<Ports, "store" | "clock" | "blobs" | "sealing">

type SandboxFile = Extract<InitialData, { kind: "sandbox" }>
type Cell = TableRows["rows"][number][number]

/**
 * The tables of a sandbox file as this store can have them: with the keys of its own images, secrets under its own key, and no limits
 * used, because those count by another clock.
 */
export function sandboxFileTables(
  { sealing: before, tables, images }: SandboxFile,
  { store, clock, blobs, sealing }: SeedPorts,
) {
  /** The keys of its images here, by those in the file. */
  const blobOf = new Map<string, string>()

  async function keep({ sha256, key, parts }: SandboxImage): Promise<void> {
    const blob = blobOf.get(key) ?? (await store.images.read(sha256))?.blob
    const isKept = blob !== undefined && (await isThere(blobs, blob))
    blobOf.set(key, isKept ? blob : await keepParts(blobs, parts, clock.now()))
  }

  return async (): Promise<TableRows[]> => {
    for (const image of images) await keep(image)
    const reseal = (sealed: Cell) =>
      sealing.seal(before.open(String(sealed), sealedFor.webhookSecrets), sealedFor.webhookSecrets)
    return tables.map((table) => {
      if (table.name === "limit_cells" || table.name === "signing_keys") return { ...table, rows: [] }
      if (table.name === "images") return withCells(table, "blob", (key) => blobOf.get(String(key)) ?? key)
      return table.name === "webhook_secrets" ? withCells(table, "sealed", reseal) : table
    })
  }
}

function withCells(table: TableRows, column: string, change: (cell: Cell) => Cell): TableRows {
  const at = table.columns.indexOf(column)
  return { ...table, rows: table.rows.map((row) => row.with(at, change(row[at] ?? null))) }
}
