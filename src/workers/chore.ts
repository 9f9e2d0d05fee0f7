import type { Logger } from "pino"
import type { Retention } from "../domain/policy.ts"
import type { BlobStore, Sealing, Store } from "../domain/ports.ts"
import type { Clock } from "../kernel/clock.ts"

/** What chores work with. */
export type ChoreParts = {
  store: Store
  sealing: Sealing
  clock: Clock
  log: Logger
  blobs: BlobStore
  retention: Retention
}

/**
 * Something that is to be done from time to time. Its name is logged when it fails. It works in batches, each in a
 * transaction of its own, so that requests come in between.
 */
export type Chore = (parts: ChoreParts) => Promise<unknown>
