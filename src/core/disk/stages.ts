import { createWriteStream } from "node:fs"
import { mkdir, readdir, rm, statfs } from "node:fs/promises"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import type { BlobStore } from "../domain/ports/blobs.ts"
import { StoreUnavailable } from "../domain/ports/store.ts"
import { createBlobKey, timeOfBlobKey } from "./blob-key.ts"
import { mapDiskErrors } from "./disk-errors.ts"
import { modes } from "./private.ts"

/** Stages as directories in this one, which exists. `freeBytesIn` measures the free space there. */
export function createStages(directory: string, freeBytesIn = freeBytesOf): Pick<BlobStore, "stage" | "clearStages"> {
  return {
    stage: (at) =>
      mapDiskErrors(async () => {
        if ((await freeBytesIn(directory)) < freeBytesMin) throw new StoreUnavailable("the disk is nearly full")
        const path = join(directory, createBlobKey(at))
        await mkdir(path, modes.directory)
        const write = (name: string, bytes: AsyncIterable<Uint8Array>) =>
          mapDiskErrors(() => writeStream(join(path, name), bytes))
        return { path, write, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
      }),

    async clearStages(before) {
      for (const name of await readdir(directory))
        if (timeOfBlobKey(name) < before) await rm(join(directory, name), { recursive: true, force: true })
    },
  }
}

/** Reserved for the database, which may be on the same disk. */
const freeBytesMin = 16 * 1024 * 1024

async function freeBytesOf(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}

async function writeStream(path: string, bytes: AsyncIterable<Uint8Array>): Promise<string> {
  await pipeline(bytes, createWriteStream(path, { mode: modes.file }))
  return path
}
