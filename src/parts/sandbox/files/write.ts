import { readFileSync } from "node:fs"
import { join } from "node:path"
import { type ImagePart, perPart } from "../../../core/domain/images/contract.ts"
import { createYielder } from "../../../core/kernel/flow/yielder.ts"
import type { Json } from "../../../core/kernel/json/json.ts"
import { migrations } from "../../../core/sql/migrations.ts"
import { readTables } from "../../../core/sqlite/tables.ts"
import { type SandboxData, sandboxFileBytesMax } from "./contract.ts"

/** The files of a sandbox. */
export type SandboxLocations = { databaseFile: string; imageDirectory: string }

/**
 * The text of a sandbox file, with a row on each line, made in turns of the event loop; undefined when it would be too large. Nothing
 * may write to the sandbox.
 */
export async function writeSandbox(
  copy: SandboxLocations,
  { clock, sealingKey }: Pick<SandboxData, "clock" | "sealingKey">,
): Promise<Json<{ data: SandboxData }> | undefined> {
  const turns = createYielder()
  const pieces: string[] = []
  let bytes = 0
  for (const piece of piecesOf(copy, { clock, sealingKey })) {
    bytes += Buffer.byteLength(piece)
    if (bytes > sandboxFileBytesMax) return undefined
    pieces.push(piece)
    if (turns.isOver()) await turns.next()
  }
  return pieces.join("") as Json<{ data: SandboxData }>
}

function* piecesOf(copy: SandboxLocations, ofSandbox: object): Generator<string> {
  const head = { format: "petstore-sandbox", version: 1, schema: migrations.length, ...ofSandbox }
  const images: string[] = []
  yield `{"data":{${JSON.stringify(head).slice(1, -1)},\n"tables":{`
  let isFirst = true
  for (const { name, columns, rows } of readTables(copy.databaseFile)) {
    yield `${isFirst ? "" : ","}\n"${name}":[\n${JSON.stringify(columns)}`
    isFirst = false
    for (const row of rows) {
      yield `,\n${JSON.stringify(row)}`
      if (name === "images") images.push(String(row[columns.indexOf("blob")]))
    }
    yield "\n]"
  }
  yield `\n},\n"images":{\n`
  for (const [n, key] of images.entries())
    yield `${n === 0 ? "" : ",\n"}"${key}":${JSON.stringify(readParts(copy, key))}`
  yield "\n}}}\n"
}

const readParts = ({ imageDirectory }: SandboxLocations, key: string): Record<ImagePart, string> =>
  perPart((part) => readFileSync(join(imageDirectory, "kept", key, part)).toString("base64"))
