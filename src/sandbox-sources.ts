import type { Making } from "./api/sandbox/sandbox-entry.ts"
import { publishAll } from "./domain/events/publish.ts"
import { type SandboxData, sandboxFileBytesMax } from "./domain/sandbox/file/contract.ts"
import type { Clock } from "./kernel/clock.ts"
import type { Json } from "./kernel/json/json.ts"
import { moveCopyTo, neutralUrl } from "./sandbox/address.ts"
import type { ClocksState, SandboxClocks } from "./sandbox/clock.ts"
import type { InitialData } from "./sandbox/initial-data.ts"
import { restoreClocks, saveClocks } from "./sandbox/saved-clocks.ts"
import { restoreSandbox } from "./storage/sandbox-files/restore.ts"
import { writeSandbox } from "./storage/sandbox-files/write.ts"
import type { TemporaryData, TemporaryStores } from "./storage/temporary.ts"

type SandboxKeys = { secretKey: Uint8Array; dataDir: string }

/** What a named sandbox is made of: the seed, another sandbox, or a file. */
export type SandboxSource = {
  makeData(): Promise<TemporaryData>
  clocks(): ClocksState
  /** The key under which its secrets are sealed. */
  keys: SandboxKeys
}

/** An open sandbox, of which copies are made; `flush` stores what is buffered. */
type Copied = { data: TemporaryData; clocks: SandboxClocks; keys: SandboxKeys; flush(): Promise<unknown> }

export function sandboxSources(
  real: { clock: Clock; steady: Clock },
  initial: InitialData,
  temporaryData: TemporaryStores,
  keys: SandboxKeys,
) {
  return {
    /** The data of a file, or of the first start. */
    ofNew({ start, seed, data }: Pick<Making, "start" | "seed" | "data">): SandboxSource {
      const initialClock = seed === undefined && initial.kind === "sandbox" ? initial.clock : undefined
      if (!data)
        return {
          makeData: () => temporaryData.make(),
          clocks: () => (initialClock ? restoreClocks(real, initialClock) : { start }),
          keys,
        }
      return {
        makeData: () => temporaryData.makeWith(async (home) => restoreSandbox(home, data)),
        clocks: () => restoreClocks(real, data.clock),
        keys: { ...keys, secretKey: Buffer.from(data.sealingKey, "base64") },
      }
    },
    ofCopy: ({ data, clocks, keys, flush }: Copied): SandboxSource => ({
      async makeData() {
        await flush()
        return temporaryData.make(data)
      },
      clocks: clocks.state,
      keys,
    }),
    /** The text of a file; undefined when it would be too large. */
    async save({ data, clocks, keys, flush }: Copied): Promise<Json<{ data: SandboxData }> | undefined> {
      if (data.imageBytes() > sandboxFileBytesMax) return undefined
      await flush()
      const clock = saveClocks(clocks)
      const copy = await temporaryData.make(data)
      const sealingKey = Buffer.from(keys.secretKey).toString("base64")
      try {
        await makeNeutral(copy, clock.time)
        return writeSandbox(copy, { clock, sealingKey })
      } finally {
        await copy.remove()
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
