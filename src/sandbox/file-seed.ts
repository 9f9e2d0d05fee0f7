import type { BlobStore } from "../domain/ports/blobs.ts"
import { type Sealing, sealedFor } from "../domain/ports/sealing.ts"
import type { Store, TableRows } from "../domain/ports/store.ts"
import type { Clock } from "../kernel/clock.ts"
import type { InitialData, SandboxImage } from "./initial-data.ts"
import { isThere, keepParts } from "./sample-images.ts"

export type FileSeedDeps = { store: Store; clock: Clock; blobs: BlobStore; sealing: Sealing }

type SandboxFile = Extract<InitialData, { kind: "sandbox" }>
type Cell = TableRows["rows"][number][number]

/**
 * The tables of a sandbox file as this store can have them: with the keys of its own images, secrets under its own key, and no limits
 * used, because those count by another clock.
 */
export function sandboxFileTables(
  { sealing: before, tables, images }: SandboxFile,
  { store, clock, blobs, sealing }: FileSeedDeps,
) {
  const known = new Map<string, string>()

  async function keep({ sha256, parts }: SandboxImage): Promise<[string, string]> {
    const stored = await store.images.read(sha256)
    const blob = known.get(sha256) ?? stored?.blob
    const isKept = blob !== undefined && (await isThere(blobs, blob))
    const kept = isKept ? blob : await keepParts(blobs, parts, clock.now())
    known.set(sha256, kept)
    return [sha256, kept]
  }

  return async (): Promise<TableRows[]> => {
    const kept: [string, string][] = []
    for (const image of images) kept.push(await keep(image))
    const blobOf = new Map(images.map(({ sha256, key }) => [key, new Map(kept).get(sha256) as string]))
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
