import type { Clock } from "../../kernel/clock.ts"
import type { Attempts } from "../../kernel/flow/attempts.ts"
import type { Plan } from "../accounts/contract.ts"
import type { KnownKeys } from "../keys/model.ts"
import type { Plans } from "../limits/model.ts"
import type { Policy } from "../policy.ts"
import type { KnownPeople } from "../users/model.ts"
import type { BlobStore } from "./blobs.ts"
import type { ImageDecoder } from "./decoder.ts"
import type { Limiter } from "./limiter.ts"
import type { Passwords } from "./passwords.ts"
import type { Sealing } from "./sealing.ts"
import type { Store } from "./store.ts"
import type { Targets } from "./targets.ts"

/** Everything an operation may use besides its request. Created in store.ts. */
export type Ports = {
  store: Store
  clock: Clock
  limiter: Limiter
  passwords: Passwords
  attempts: Attempts
  sealing: Sealing
  targets: Targets
  blobs: BlobStore
  decoder: ImageDecoder
  plans: Plans
  policy: Policy
  knownKeys: KnownKeys
  knownPeople: KnownPeople
  /** Bytes of images that an account of each plan may store. */
  imageBytesMax: Record<Plan, number>
  /** Cryptographically random bytes. */
  random(count: number): Uint8Array
  /** SHA-256 of the text in UTF-8, in hex: how secrets are stored. */
  sha256(text: string): string
  /** The base URL for clients, without a trailing slash; known once the server listens. */
  publicUrl(): string
}
