import { rm } from "node:fs/promises"
import { Readable } from "node:stream"
import { mapDiskErrors } from "../../../core/disk/disk-errors.ts"
import { publishAll } from "../../../core/domain/events/publish.ts"
import { Problem } from "../../../core/kernel/problem.ts"
import { saveClocks } from "../clock/saved-clocks.ts"
import { moveCopyTo, neutralUrl } from "../files/address.ts"
import type { SandboxStream } from "../files/contract.ts"
import { restoreSandbox } from "../files/restore.ts"
import { type TemporaryData, type TemporaryStores, temporaryBounds } from "../files/temporary.ts"
import { writeSandbox } from "../files/write.ts"
import type { RestoredBody } from "../model.ts"
import type { Copied } from "./sandbox-sources.ts"

/** Each that is read or restored has a copy of its sandbox on the disk meanwhile. */
const atOnceMax = 4

/** Sandbox files while they are read by clients, and restored from what clients send. */
export function sandboxFiles(temporaryData: TemporaryStores) {
  const underWay = { read: 0, restored: 0 }

  /** Throws the 503 while there are too many. */
  function start(done: "read" | "restored"): () => void {
    if (underWay[done] >= atOnceMax)
      throw new Problem("overloaded", `${atOnceMax} sandbox files are being ${done}. Nothing was changed`, {
        retryAfter: 2,
      })
    underWay[done]++
    return () => void underWay[done]--
  }

  return {
    /** A sandbox file as of now: the text of a copy, which is removed once the stream is closed. */
    async save({ data, clocks, keys, flush }: Copied): Promise<SandboxStream> {
      await using failing = new AsyncDisposableStack()
      failing.defer(start("read"))
      await flush()
      const clock = saveClocks(clocks)
      const copy = await temporaryData.make(data)
      failing.defer(copy.remove)
      await makeNeutral(copy, clock.time)
      const sealingKey = Buffer.from(keys.secretKey).toString("base64")
      const file = Readable.from(writeSandbox(copy, { clock, sealingKey }), { objectMode: false })
      const ending = failing.move()
      file.once("close", () => ending.disposeAsync())
      return file
    },
    /** Restores the sandbox file in a body, if there is one, while that arrives. */
    async restore(body: AsyncIterable<Uint8Array>, restBytesMax: number): Promise<RestoredBody> {
      await using atEnd = new AsyncDisposableStack()
      await using failing = new AsyncDisposableStack()
      let directory: string | undefined
      const open = async () => {
        atEnd.defer(start("restored"))
        const home = await temporaryData.makeEmpty()
        failing.defer(home.remove)
        directory = home.directory
        return { ...home, ...temporaryBounds }
      }
      const { rest, imageBytes } = await mapDiskErrors(() => restoreSandbox(body, restBytesMax, open))
      failing.move()
      return {
        rest,
        file: directory === undefined ? undefined : { directory, imageBytes },
        async [Symbol.asyncDispose]() {
          // A sandbox that was made of it has taken the directory.
          if (directory !== undefined) await rm(directory, { recursive: true, force: true })
        },
      }
    },
  }
}

async function makeNeutral(copy: TemporaryData, at: number): Promise<void> {
  const store = copy.openDatabase()
  try {
    await moveCopyTo(store, neutralUrl)
    await store.transaction(async (tx) => {
      // The worker does it within a second, so that the file does not depend on when it was made.
      await publishAll(tx, at)
      await tx.origin.renewStoreId("")
    })
  } finally {
    await store.close()
  }
}
