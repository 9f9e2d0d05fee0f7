import type { StreamPace } from "../api/feeds/streams.ts"
import type { HashingCost } from "../crypto/argon2.ts"
import type { DecoderLimits } from "../imaging/decoder.ts"
import type { Clock } from "../kernel/clock.ts"
import type { HttpOverrides } from "../server/http-context.ts"
import type { StartOfBlobs } from "../storage/service-blobs.ts"
import type { DeliveryWorkerDeps } from "../workers/delivery/worker.ts"
import type { ReplicaOptions } from "../workers/replicas.ts"
import type { DiskState } from "../workers/watch-disk.ts"

/** Replacements in tests and benches; everything else follows from the settings. */
export type Overrides = HttpOverrides & {
  /** The wall clock, and a monotonic one. */
  clock?: Clock
  steady?: Clock
  delivery?: Partial<DeliveryWorkerDeps>
  decoding?: Partial<DecoderLimits>
  hashing?: HashingCost
  replicas?: Partial<ReplicaOptions>
  /** Intervals of the checks on event streams. */
  streams?: Partial<StreamPace>
  disk?: { inspect(directory: string): Promise<DiskState> }
  /** How long a start waits for images in S3, and how long the service waits before it tries again. */
  imagePace?: StartOfBlobs["pace"]
  /** False starts no maintenance. */
  housekeeping?: boolean
}
