import type { Logger } from "pino"
import type { Clock } from "../../../core/kernel/clock.ts"
import type { HttpContext } from "../../../core/server/http-context.ts"
import type { KeptSandbox } from "../files/kept.ts"
import type { RestoredBody } from "../model.ts"
import type { Seed } from "../seeds/contract.ts"
import type { SandboxBounds } from "./bounds.ts"
import type { MakeSandbox, Making, NamedSandbox, SeedData, SleepingSandbox } from "./sandbox-entry.ts"

/** Makes named sandboxes, with what they share with the service. */
export type SandboxMaker = AsyncDisposable & {
  /** Makes one from the seed. */
  open: MakeSandbox
  /** Opens the data of a seed. */
  openSeed(making: Making & { seed: Seed }): Promise<SeedData>
  /** Restores the sandbox file in a body, if there is one, while that arrives. Throws the problem of data that no sandbox can have. */
  restore(body: AsyncIterable<Uint8Array>, restBytesMax: number): Promise<RestoredBody>
  /** Those that an earlier process kept. */
  kept(): readonly SleepingSandbox[]
  /** Opens one of these. Throws StoreUnavailable when that may succeed later. */
  wake(kept: KeptSandbox, making: Making): Promise<NamedSandbox>
  /** Why there are none, as the end of a sentence. */
  unavailableReason: string | undefined
  /** The keys of a new sandbox; undefined when requests need no credential. */
  keys: readonly { secret: string }[] | undefined
  http: Pick<HttpContext, "load" | "limitAddress" | "publicUrl">
  /** Address blocks that are exempt from limits. */
  exempt: readonly string[]
  log: Logger
  clock: Clock
  /** A monotonic clock. */
  steady: Clock
  bounds: Partial<SandboxBounds> | undefined
  /** Why nothing may be written, as the end of a sentence; undefined while writes are accepted. */
  refusesWrites(): string | undefined
}
