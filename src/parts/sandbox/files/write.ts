import { readFileSync } from "node:fs"
import { join } from "node:path"
import { type ImagePart, perPart } from "../../../core/domain/images/contract.ts"
import type { TableRows } from "../../../core/domain/ports/store.ts"
import type { Json } from "../../../core/kernel/json/json.ts"
import { migrations } from "../../../core/sql/migrations.ts"
import { readTables } from "../../../core/sqlite/tables.ts"
import { type SandboxData, sandboxFileBytesMax } from "./contract.ts"

/** The files of a sandbox. */
export type SandboxLocations = { databaseFile: string; imageDirectory: string }

/** The text of a sandbox file, with a row on each line; undefined when it would be too large. Nothing may write to the sandbox. */
export function writeSandbox(
  copy: SandboxLocations,
  { clock, sealingKey }: Pick<SandboxData, "clock" | "sealingKey">,
): Json<{ data: SandboxData }> | undefined {
  const tables = readTables(copy.databaseFile)
  const images = imageRows(tables).map(({ key, bytes }) => ({ key, bytes, read: () => readParts(copy, key) }))
  const bytes = images.reduce((sum, image) => sum + (image.bytes * 4) / 3, 0)
  if (bytes > sandboxFileBytesMax) return undefined
  const head = { format: "petstore-sandbox", version: 1, schema: migrations.length, clock, sealingKey }
  const text = `{"data":{${inner(head)},
"tables":{
${tables.map(writeTable).join(",\n")}
},
"images":{
${images.map(({ key, read }) => `"${key}":${JSON.stringify(read())}`).join(",\n")}
}}}
`
  return Buffer.byteLength(text) <= sandboxFileBytesMax ? (text as Json<{ data: SandboxData }>) : undefined
}

const inner = (value: object): string => JSON.stringify(value).slice(1, -1)

const writeTable = ({ name, columns, rows }: TableRows): string =>
  `"${name}":[\n${[columns, ...rows].map((row) => JSON.stringify(row)).join(",\n")}\n]`

function imageRows(tables: readonly TableRows[]): { key: string; bytes: number }[] {
  const { columns, rows } = tables.find(({ name }) => name === "images") as TableRows
  const [blob, bytes] = [columns.indexOf("blob"), columns.indexOf("bytes")]
  return rows.map((row) => ({ key: String(row[blob]), bytes: Number(row[bytes]) }))
}

const readParts = ({ imageDirectory }: SandboxLocations, key: string): Record<ImagePart, string> =>
  perPart((part) => readFileSync(join(imageDirectory, "kept", key, part)).toString("base64"))
