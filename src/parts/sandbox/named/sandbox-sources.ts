import { rename } from "node:fs/promises"
import type { Clock } from "../../../core/kernel/clock.ts"
import type { ClocksState, SandboxClocks } from "../clock/clock.ts"
import { restoreClocks } from "../clock/saved-clocks.ts"
import type { KeptSandbox } from "../files/kept.ts"
import { moveTimesTo } from "../files/move-times.ts"
import type { TemporaryData, TemporaryStores } from "../files/temporary.ts"
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
export type Copied = { data: TemporaryData; clocks: SandboxClocks; keys: SandboxKeys; flush(): Promise<unknown> }

export function sandboxSources(
  real: { clock: Clock; steady: Clock },
  initial: InitialData,
  temporaryData: TemporaryStores,
  keys: SandboxKeys,
) {
  return {
    /** The data of a file, or of the first start. */
    ofNew({ start, seed, file }: Pick<Making, "start" | "seed" | "file">): SandboxSource {
      const initialClock = seed === undefined && initial.kind === "sandbox" ? initial.clock : undefined
      if (!file)
        return {
          seed: "initial",
          async makeData() {
            const home = await temporaryData.make()
            if (initial.kind !== "sandbox") await moveTimesTo(home.databaseFile, real.clock.now())
            return home
          },
          clocks: () => (initialClock ? restoreClocks(real, initialClock) : { start }),
          keys,
        }
      return {
        seed: undefined,
        makeData: () => temporaryData.take(file.directory, file.imageBytes),
        clocks: () => restoreClocks(real, file.clock),
        keys: { ...keys, secretKey: Buffer.from(file.sealingKey, "base64") },
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
  }
}
