import type { BlobStore } from "../domain/ports/blobs.ts"

export type ServiceBlobs = {
  blobs: BlobStore
  isAway(): boolean
  close(): void
}

export type StartOfBlobs = {
  /** Requires that they belong to the database. Throws CannotStart. */
  bind(blobs: BlobStore): Promise<void>
  /** Receives the reason when they become unreachable, and undefined when they are reachable again. */
  report(reason: string | undefined): void
  /** Times in milliseconds: how long a start waits for them, and how long the service waits before it tries again. */
  pace?: { waitMs: number; againMs: number } | undefined
}
