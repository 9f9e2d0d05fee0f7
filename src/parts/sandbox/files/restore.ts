import { hash } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isBlobKey } from "../../../core/disk/blob-key.ts"
import { type ImagePart, imageParts, perPart } from "../../../core/domain/images/contract.ts"
import type { TableRows } from "../../../core/domain/ports/store.ts"
import { at, problem } from "../../../core/kernel/problem.ts"
import { migrations } from "../../../core/sql/migrations.ts"
import { makeDatabase, movedTables, RowRefused } from "../../../core/sqlite/tables.ts"
import { refusalOfRow } from "./check-rows.ts"
import type { SandboxData } from "./contract.ts"
import type { SandboxLocations } from "./write.ts"

/** The tables and the images of a sandbox file. Throws the 422 for data that no sandbox can have. */
export function readSandbox(data: SandboxData): { tables: TableRows[]; images: ImageFiles[] } {
  if (data.schema !== migrations.length)
    refuse("schema", `is ${data.schema}, and this service has ${migrations.length}: use the version that made the file`)
  const tables = tablesOf(data)
  return { tables, images: imagesOf(data, tables) }
}

/** Makes the database and the images of a sandbox file. Throws the 422 for data that no sandbox can have. */
export function restoreSandbox({ databaseFile, imageDirectory }: SandboxLocations, data: SandboxData): void {
  const { tables, images } = readSandbox(data)
  refuseRows(() => makeDatabase(databaseFile, tables))
  for (const { key, parts } of images) {
    const directory = join(imageDirectory, "kept", key)
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    for (const part of imageParts) writeFileSync(join(directory, part), parts[part], { mode: 0o600 })
  }
}

/** Throws the 422 for a row that a table does not accept. */
function refuseRows(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (error instanceof RowRefused)
      refuse(`tables/${error.table}/${error.row + 1}`, `cannot be stored: ${error.message}`)
    throw error
  }
}

const refuse = (path: string, detail: string): never => {
  throw problem("invalid-body", at(`/data/${path}`, "wrong-form", detail))
}

/** The tables of our schema; throws unless the data have exactly these, with these columns. */
function tablesOf({ tables }: SandboxData): TableRows[] {
  const unknown = Object.keys(tables).find((name) => !movedTables().some((table) => table.name === name))
  if (unknown !== undefined) refuse(`tables/${unknown.slice(0, 64)}`, "is no table")
  return movedTables().map(({ name, columns }) => {
    const [names, ...rows] = tables[name] ?? refuse(`tables/${name}`, "is missing")
    if (names?.join() !== columns.join())
      refuse(`tables/${name}/0`, `must be the names of the columns: ${columns.join(", ")}`)
    const table = { name, columns, rows }
    rows.forEach((row, n) => {
      const refusal = row.length === columns.length ? refusalOfRow(table, n) : `must have ${columns.length} values`
      if (refusal !== undefined) refuse(`tables/${name}/${n + 1}`, refusal)
    })
    return table
  })
}

/** An image: its SHA-256 in hex, the key of its files, and their bytes. */
type ImageFiles = { sha256: string; key: string; parts: Record<ImagePart, Buffer> }

/** The files of the images that the table names; throws unless they are complete and as long as it says. */
function imagesOf({ images }: SandboxData, tables: readonly TableRows[]): ImageFiles[] {
  const { columns, rows } = tables.find(({ name }) => name === "images") as TableRows
  const cell = (row: TableRows["rows"][number], name: string) => String(row[columns.indexOf(name)])
  const known = new Set(rows.map((row) => cell(row, "blob")))
  const unknown = Object.keys(images).find((key) => !known.has(key))
  if (unknown !== undefined) refuse(`images/${unknown.slice(0, 64)}`, "belongs to no row of images")
  return rows.map((row) => {
    const key = cell(row, "blob")
    const files = images[key]
    if (!isBlobKey(key) || files === undefined) return refuse(`images/${key.slice(0, 64)}`, "is missing")
    const parts = perPart((part) => Buffer.from(files[part] ?? "", "base64"))
    const { bytes } = JSON.parse(cell(row, "json")) as { bytes: Record<string, number> }
    const damaged = imageParts.find((part) => parts[part]?.length !== bytes[part])
    const sha256 = hash("sha256", parts.original)
    if (damaged || sha256 !== cell(row, "sha256"))
      refuse(`images/${key}`, `is damaged: ${damaged ?? "original"} has other bytes than the table says`)
    return { sha256, key, parts }
  })
}
