import type { HashingCost } from "./crypto/argon2.ts"
import type { StreamPace } from "./http/event-stream/streams.ts"
import type { ConnectionLimits } from "./http/rate-limiting/connection-limit.ts"
import type { Load } from "./http/rate-limiting/load-shedding.ts"
import type { UnreadBudgets } from "./http/rate-limiting/unread-budgets.ts"
import type { BodyPace } from "./http/reading/slow-bodies.ts"
import type { SandboxBounds } from "./http/sandbox/named.ts"
import type { DecoderLimits } from "./imaging/decoder.ts"
import type { Clock } from "./kernel/clock.ts"
import type { DeliveryWorkerDeps } from "./workers/delivery/worker.ts"
import type { ReplicaOptions } from "./workers/replicas.ts"
import type { DiskWatchDeps } from "./workers/watch-disk.ts"

/** What a service may be given in place of its own; everything else follows from the settings. */
export type Overrides = {
  /** Wall clock, and one that never jumps. */
  clock?: Clock
  steady?: Clock
  load?: Partial<Load>
  connectionLimits?: Partial<ConnectionLimits>
  /** What responses may take that clients have not read. */
  unreadBudgets?: Partial<UnreadBudgets>
  delivery?: Partial<DeliveryWorkerDeps>
  decoding?: Partial<DecoderLimits>
  /** How fast bodies must come in. */
  pace?: Partial<BodyPace>
  /** How often event streams are looked after. */
  streams?: Partial<StreamPace>
  hashing?: HashingCost
  /** How many named sandboxes there may be, and for how long. */
  sandboxes?: Partial<SandboxBounds>
  /** What is seen of the disks. */
  disk?: Pick<DiskWatchDeps, "look">
  /** How it shares the database with others like it. */
  replicas?: Partial<ReplicaOptions>
  /** False leaves what is due from time to time undone. */
  housekeeping?: boolean
}
