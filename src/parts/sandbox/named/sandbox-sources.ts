import { rename } from "node:fs/promises"
import { Readable } from "node:stream"
import { publishAll } from "../../../core/domain/events/publish.ts"
import type { Clock } from "../../../core/kernel/clock.ts"
import { Problem } from "../../../core/kernel/problem.ts"
import type { ClocksState, SandboxClocks } from "../clock/clock.ts"
import { restoreClocks, saveClocks } from "../clock/saved-clocks.ts"
import { moveCopyTo, neutralUrl } from "../files/address.ts"
import type { SandboxStream } from "../files/contract.ts"
import type { KeptSandbox } from "../files/kept.ts"
import { moveTimesTo } from "../files/move-times.ts"
import { restoreSandbox } from "../files/restore.ts"
import type { TemporaryData, TemporaryStores } from "../files/temporary.ts"
import { writeSandbox } from "../files/write.ts"
import type { Seed } from "../seeds/contract.ts"
import type { InitialData } from "../seeds/initial-data.ts"
import type { Making, SeedData } from "./sandbox-entry.ts"

type SandboxKeys = { secretKey: Uint8Array; dataDir: string }

/** What a named sandbox is made of: the seed, another sandbox, or a file. */
export type SandboxSource = {
  /** The seed, if it is one. */
  seed: Seed | undefined
  makeData(): Promise<TemporaryData>
  clocks(): ClocksState
  /** The key under which its secrets are sealed. */
  keys: SandboxKeys
  /** Takes the data back of one that could not be opened, and is the same sandbox when it is. Absent for a new sandbox. */
  takeBack?(data: TemporaryData): Promise<void>
}

/** An open sandbox, of which copies are made; `flush` stores what is buffered. */
type Copied = { data: TemporaryData; clocks: SandboxClocks; keys: SandboxKeys; flush(): Promise<unknown> }

export function sandboxSources(
  real: { clock: Clock; steady: Clock },
  initial: InitialData,
  temporaryData: TemporaryStores,
  keys: SandboxKeys,
) {
  let saving = 0
  return {
    /** The data of a file, or of the first start. */
    ofNew({ start, seed, data }: Pick<Making, "start" | "seed" | "data">): SandboxSource {
      const initialClock = seed === undefined && initial.kind === "sandbox" ? initial.clock : undefined
      if (!data)
        return {
          seed: "initial",
          async makeData() {
            const home = await temporaryData.make()
            if (initial.kind !== "sandbox") moveTimesTo(home.databaseFile, real.clock.now())
            return home
          },
          clocks: () => (initialClock ? restoreClocks(real, initialClock) : { start }),
          keys,
        }
      return {
        seed: undefined,
        makeData: () => temporaryData.makeWith(async (home) => restoreSandbox(home, data)),
        clocks: () => restoreClocks(real, data.clock),
        keys: { ...keys, secretKey: Buffer.from(data.sealingKey, "base64") },
      }
    },
    /** The initial data as they are, which is quicker than a sandbox of them. */
    async openInitial(): Promise<SeedData> {
      const data = await temporaryData.make()
      const store = data.openDatabase()
      const close = () => store.close().finally(data.remove)
      return { store, close }
    },
    ofCopy: ({ data, clocks, keys, flush }: Copied): SandboxSource => ({
      seed: undefined,
      async makeData() {
        await flush()
        return temporaryData.make(data)
      },
      clocks: clocks.state,
      keys,
    }),
    ofKept: ({
      requireWhole,
      directory,
      facts: { seed, imageBytes, clocks, sealingKey },
    }: KeptSandbox): SandboxSource => ({
      seed,
      async makeData() {
        await requireWhole()
        return temporaryData.take(directory, imageBytes)
      },
      clocks: () => clocks,
      keys: { ...keys, secretKey: Buffer.from(sealingKey, "base64") },
      takeBack: (data) => rename(data.directory, directory),
    }),
    /** A sandbox file as of now: the text of a copy, which is removed once the stream is closed. */
    async save({ data, clocks, keys, flush }: Copied): Promise<SandboxStream> {
      if (saving >= savedAtOnceMax) throw new Problem("overloaded", tooManyFiles, { retryAfter: 2 })
      saving++
      await using failing = new AsyncDisposableStack()
      failing.defer(() => void saving--)
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
  }
}

/** Each has a copy of its sandbox on the disk until its client has read it. */
const savedAtOnceMax = 4
const tooManyFiles = `${savedAtOnceMax} sandbox files are being read. Nothing was changed`

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
