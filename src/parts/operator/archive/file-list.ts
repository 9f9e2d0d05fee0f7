import { open } from "node:fs/promises"
import { createInterface } from "node:readline"
import { Readable } from "node:stream"
import { modes } from "../../../core/disk/private.ts"
import type { Sum } from "./hash.ts"

/** A file of an archive: a line of its file list. */
export type ListedFile = Sum & { name: string }

const bufferedMax = 64 * 1024

/** A file list that is being written. */
export type FileList = AsyncDisposable & {
  add(file: ListedFile): Promise<void>
  /** Resolves with the number of lines once all are written. */
  end(): Promise<number>
}

/** Writes the file list of an archive with bounded memory. */
export async function openFileList(path: string): Promise<FileList> {
  const file = await open(path, "wx", modes.file)
  let buffered = ""
  let count = 0
  const flush = async () => {
    await file.appendFile(buffered)
    buffered = ""
  }
  return {
    async add({ name, bytes, sha256 }) {
      buffered += `${JSON.stringify({ name, bytes, sha256 })}\n`
      count++
      if (buffered.length > bufferedMax) await flush()
    },
    async end() {
      await flush()
      await file.close()
      return count
    },
    [Symbol.asyncDispose]: () => file.close(),
  }
}

export async function* readFileList(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ListedFile> {
  for await (const line of createInterface({ input: Readable.from(bytes) })) yield JSON.parse(line) as ListedFile
}
