import type { Logger } from "pino"
import type { Retention } from "../domain/policy.ts"
import type { BlobStore } from "../domain/ports/blobs.ts"
import type { Sealing } from "../domain/ports/sealing.ts"
import type { Store } from "../domain/ports/store.ts"
import type { Clock } from "../kernel/clock.ts"

export type ChoreDeps = {
  store: Store
  sealing: Sealing
  clock: Clock
  log: Logger
  blobs: BlobStore
  retention: Retention
}

/** A periodic task. Its name is logged when it fails. It works in batches, each in a transaction of its own, so that requests can run in between. */
export type Chore = (parts: ChoreDeps) => Promise<unknown>
