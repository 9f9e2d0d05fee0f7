import { createHash } from "node:crypto"
import { mkdir, open } from "node:fs/promises"
import { dirname, join } from "node:path"
import { isBlobKey } from "../../../core/disk/blob-key.ts"
import { modes } from "../../../core/disk/private.ts"
import { imageParts } from "../../../core/domain/images/contract.ts"
import type { TableRows } from "../../../core/domain/ports/store.ts"
import { Problem } from "../../../core/kernel/problem.ts"
import type { JsonScanner } from "./json-scanner.ts"
import { refuseData } from "./refuse-data.ts"

/** Where a part of an image is, as `src/core/disk/blobs.ts` has it. */
export const fileOfImage = (directory: string, key: string, part: string): string => join(directory, "kept", key, part)

/** The SHA-256 of the original, and the length of each file. */
type Restored = { sha256: string | undefined; bytes: Record<string, number> }

/** Restores the images of a sandbox file into a directory, which may then have so many bytes. */
export function restoreImages(directory: string, bytesMax = Number.POSITIVE_INFINITY) {
  const restored = new Map<string, Restored>()
  let bytes = 0

  async function readImage(body: JsonScanner, key: string): Promise<void> {
    const path = `images/${key.slice(0, 64)}`
    if (!isBlobKey(key)) refuseData(path, "is no key of an image")
    if (restored.has(key)) refuseData(path, "is there twice")
    if (!(await body.isAtObject())) refuseData(path, "must be an object")
    const image: Restored = { sha256: undefined, bytes: {} }
    restored.set(key, image)
    await mkdir(dirname(fileOfImage(directory, key, "original")), { recursive: true, mode: modes.directory })
    for await (const name of body.members()) {
      const part = imageParts.find((one) => one === name)
      if (!part) return refuseData(`${path}/${name.slice(0, 64)}`, "is no file of an image")
      const sha256 = createHash("sha256")
      await using file = await open(fileOfImage(directory, key, part), "w", modes.file)
      let length = 0
      for await (const piece of fromBase64(body.pieces())) {
        length += piece.length
        bytes += piece.length
        if (bytes > bytesMax) throw tooManyBytes(bytesMax)
        sha256.update(piece)
        await file.appendFile(piece)
      }
      image.bytes[part] = length
      if (part === "original") image.sha256 = sha256.digest("hex")
    }
  }

  return {
    async read(body: JsonScanner): Promise<void> {
      for await (const key of body.members()) await readImage(body, key)
    },
    /** Throws the 422 unless these are the images of the tables, and as those say. Returns their bytes. */
    requireComplete(tables: Iterable<TableRows>): number {
      const unknown = new Set(restored.keys())
      for (const { name, columns, rows } of tables)
        for (const row of name === "images" ? rows : []) {
          const key = requireImage(Object.fromEntries(columns.map((column, n) => [column, String(row[n])])))
          unknown.delete(key)
        }
      for (const key of unknown) refuseData(`images/${key}`, "belongs to no row of images")
      return bytes
    },
  }

  function requireImage({ blob: key = "", sha256, json = "" }: Record<string, string>): string {
    const path = `images/${key.slice(0, 64)}`
    const image = restored.get(key) ?? refuseData(path, "is missing")
    const { bytes } = JSON.parse(json) as Restored
    const damaged = imageParts.find((part) => image.bytes[part] !== bytes[part])
    if (damaged || image.sha256 !== sha256)
      refuseData(path, `is damaged: ${damaged ?? "original"} has other bytes than the table says`)
    return key
  }
}

const tooManyBytes = (bytesMax: number): Problem =>
  new Problem("body-too-large", `The images of the file have more than the ${bytesMax / 1024 ** 2} MiB of a sandbox`)

/** The bytes of a JSON string. One with other characters has other bytes than the table says. */
async function* fromBase64(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let text = ""
  for await (const piece of pieces) {
    text += piece.toString("latin1").replace(/["\\]/g, "")
    // Four characters are three bytes.
    const end = text.length - (text.length % 4)
    yield Buffer.from(text.slice(0, end), "base64")
    text = text.slice(end)
  }
  yield Buffer.from(text, "base64")
}
