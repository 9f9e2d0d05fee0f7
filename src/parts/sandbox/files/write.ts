import { open } from "node:fs/promises"
import { imageParts } from "../../../core/domain/images/contract.ts"
import { createYielder } from "../../../core/kernel/flow/yielder.ts"
import { migrations } from "../../../core/sql/migrations.ts"
import { readTables } from "../../../core/sqlite/tables.ts"
import type { SandboxData } from "./contract.ts"
import { fileOfImage } from "./restore-images.ts"

/** The files of a sandbox. */
export type SandboxLocations = { databaseFile: string; imageDirectory: string }

/** The length at which a piece is passed on. */
const pieceLength = 64 * 1024
/** Bytes of an image in one piece: base64 has four characters for three. */
const imageBytesAtOnce = 48 * 1024

/** The text of a sandbox file in pieces, with a row on each line, made in turns of the event loop. Nothing may write to the sandbox. */
export async function* writeSandbox(
  copy: SandboxLocations,
  { clock, sealingKey }: Pick<SandboxData, "clock" | "sealingKey">,
): AsyncGenerator<string> {
  const turns = createYielder()
  let text = ""
  for await (const piece of piecesOf(copy, { clock, sealingKey })) {
    text += piece
    if (text.length >= pieceLength) {
      yield text
      text = ""
    }
    if (turns.isOver()) await turns.next()
  }
  yield text
}

async function* piecesOf(copy: SandboxLocations, ofSandbox: object): AsyncGenerator<string> {
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
  for (const [n, key] of images.entries()) {
    yield `${n === 0 ? "" : ",\n"}"${key}":{`
    for (const [at, part] of imageParts.entries()) {
      yield `${at === 0 ? "" : ","}"${part}":"`
      yield* inBase64(fileOfImage(copy.imageDirectory, key, part))
      yield '"'
    }
    yield "}"
  }
  yield "\n}}}\n"
}

async function* inBase64(path: string): AsyncGenerator<string> {
  await using file = await open(path)
  const buffer = Buffer.alloc(imageBytesAtOnce)
  for (let position = 0; ; position += buffer.length) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, position)
    yield buffer.toString("base64", 0, bytesRead)
    if (bytesRead < buffer.length) return
  }
}
