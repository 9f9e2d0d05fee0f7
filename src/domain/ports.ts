import { CannotStart } from "../kernel/cannot-start.ts"
import type { Clock } from "../kernel/clock.ts"
import type { Measured } from "../kernel/measure.ts"
import type { Problem } from "../kernel/problem.ts"
import type { Plan } from "./accounts/contract.ts"
import type { AccountStore } from "./accounts/store.ts"
import type { Attempts } from "./attempts/store.ts"
import type { AuditStore } from "./audit/store.ts"
import type { ClockCheckStore } from "./clock/store.ts"
import type { EventStore } from "./events/store.ts"
import type { IdempotencyStore } from "./idempotency/store.ts"
import type { ImagePart, ImageType } from "./images/contract.ts"
import type { BlobAddresses, BlobReader, ImageStore } from "./images/store.ts"
import type { KeyStore, KnownKeys } from "./keys/store.ts"
import type { Standing } from "./limits/contract.ts"
import type { Full, Plans, Quota } from "./limits/model.ts"
import type { LimitStore } from "./limits/store.ts"
import type { ConsentStore } from "./oauth/consents/store.ts"
import type { OAuthClientStore, OAuthRecordStore, SigningKeyStore } from "./oauth/store.ts"
import type { OrderStore } from "./orders/store.ts"
import type { OriginStore } from "./origin/store.ts"
import type { PetStore } from "./pets/store.ts"
import type { Policy } from "./policy.ts"
import type { LeaseStore, ReplicaStore } from "./replicas/store.ts"
import type { SessionStore } from "./users/sessions/store.ts"
import type { UserStore } from "./users/store.ts"
import type { DeliveryStore } from "./webhooks/deliveries/store.ts"
import type { WebhookStore } from "./webhooks/store.ts"

/** Everything an operation may use besides its request: declared here, made in petstore.ts, handed on by everybody else. */
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
  /** How many bytes of images an account of each plan may store. */
  imageBytesMax: Record<Plan, number>
  /** `count` cryptographically random bytes. */
  random(count: number): Uint8Array
  /** SHA-256 of the text's UTF-8, in hex: what is stored of a secret. */
  sha256(text: string): string
  /** The base address clients use, without a trailing slash; known once the server listens. */
  publicUrl(): string
}

/** The repository of every noun, inside or outside a transaction. */
export type Repositories = {
  accounts: AccountStore
  audit: AuditStore
  clockChecks: ClockCheckStore
  consents: ConsentStore
  deliveries: DeliveryStore
  events: EventStore
  idempotency: IdempotencyStore
  images: ImageStore
  keys: KeyStore
  leases: LeaseStore
  limits: LimitStore
  oauthClients: OAuthClientStore
  oauthRecords: OAuthRecordStore
  orders: OrderStore
  origin: OriginStore
  pets: PetStore
  replicas: ReplicaStore
  sessions: SessionStore
  signingKeys: SigningKeyStore
  users: UserStore
  webhooks: WebhookStore
}

/** Storage as the domain sees it. Every method throws StoreUnavailable, at once or through its promise, when it cannot work. */
export type Store = Repositories & {
  /**
   * Runs `work` in a transaction of its own, atomically and isolated from others, and resolves with its result once the
   * commit is durable. Whatever `work` throws rolls the transaction back and is rethrown. `work` may use the given repositories
   * only, and may be run again after it was undone for the sake of others.
   */
  transaction<T>(work: (tx: Repositories) => Promise<T>): Promise<T>
}

/** What a commit changed: an event; deliveries, which may be due earlier; anything, after its callers received OutcomeUnknown. */
export type Change = "event-added" | "delivery-due" | "outcome-unknown"

/** A store as its adapter opens it. */
export type Database = Store & {
  /** What it is, with the version it had at the start, such as SQLite 3.51.0. */
  product: string
  /** Whether other processes may use the database at the same time. */
  isShared: boolean
  /**
   * Calls `listener` after every commit of this process that made one of these changes, once it is durable; what is
   * undone is never told. The listener returns at once and does not throw. Returns how to stop.
   */
  onCommit(listener: (changes: ReadonlySet<Change>) => void): () => void
  /** Why writes cannot succeed for now, as the end of a sentence, or undefined; costs nothing. Absent where nobody can tell. */
  refusesWrites?(): string | undefined
  /** What does not work although reads and writes do, a word for each; costs nothing. */
  degraded?(): readonly string[]
  /** Gives room that nothing uses any more back to the disk, a little at a time; returns how many pages, 0 where that is not its business. */
  compact(): Promise<number>
  /** Lets go of everything, after the transactions that are under way. */
  close(): Promise<void>
} & Partial<Measured>

/** Storage could not do its work, and nothing was changed, unless it is OutcomeUnknown. */
export class StoreUnavailable extends Error {}

/** Storage failed while it committed: the change is stored as a whole or not at all, and it is not known which. */
export class OutcomeUnknown extends StoreUnavailable {}

/** What became of one request: `full` says why it was not admitted, `standings` where the account stands after it. */
export type Verdict = { full: Full | undefined; standings: readonly Standing[] }

/**
 * Counts requests per account in a sliding minute, exact to the millisecond, and a sliding day in cells of one minute,
 * rounded against the caller. It keeps its own time.
 */
export type Limiter = {
  /** Counts one more request in both windows, or in neither when one is full. */
  admit(accountId: number, quota: Quota): Verdict | Promise<Verdict>
  /** Where the account stands in each window; counts nothing. */
  standings(accountId: number, quota: Quota): Promise<readonly Standing[]>
  /** Resolves once everything counted is stored. */
  close(): Promise<void>
}

/** Hashing of passwords: slow on purpose, off the event loop, with bounded concurrency. */
export type Passwords = {
  /** The hash to store, salt and costs included (PHC string format). Throws the problem `unavailable` when too many wait. */
  hash(password: string): Promise<string>
  /** Whether the password has this hash. Without a hash the result is false, after the same time. */
  matches(password: string, hash: string | undefined): Promise<boolean>
}

/** Encrypts what the service must be able to read back, such as a signing key, before it is stored. */
export type Sealing = {
  /** Ciphertext that only `open` with the same `purpose` can read. */
  seal(plain: string, purpose: string): string
  /** The plain text; throws SealBroken when the ciphertext was changed or sealed under another key or purpose. */
  open(sealed: string, purpose: string): string
}

/** Something sealed cannot be opened: the key beside the database is not the one it was sealed under. */
export class SealBroken extends CannotStart {}

/** The purposes there are. */
export const sealedFor = { signingKeys: "signing key", webhookSecrets: "webhook secret" } as const

/** Decides where the service may send requests. */
export type Targets = {
  /** Why nothing may be sent to this URL, as the end of a sentence, or undefined. Asks DNS; never inside a transaction. */
  refusalOf(url: string): Promise<string | undefined>
}

/** Cached data became stale: a credential of the account, or its plan, was changed or revoked; or `everyAccount`. */
export type Signal = { kind: "credentials-changed"; accountId: number }

/** How caches in this process and in other replicas learn what to drop. Announce after the commit, before the response. */
export type Invalidation = {
  /** Resolves once every listener of this process was called and the other replicas were told. */
  announce(signal: Signal): Promise<void>
  /** Calls `hear` with every signal from now on; returns how to stop. */
  listen(hear: (signal: Signal) => void): () => void
  /** How long, in milliseconds, a signal may go unheard when something fails: nothing is cached for longer. */
  unheardMsMax: number
}

/** A decoded image, upright and without metadata, in every size, as files in the directory it was decoded into. */
export type Decoded = {
  /** Of the original as it will be served, in hex. */
  sha256: string
  type: ImageType
  width: number
  height: number
  frames: number
  files: Record<ImagePart, { path: string; bytes: number }>
}

/** Decodes untrusted images. */
export type ImageDecoder = {
  /**
   * Decodes a file that may be hostile, within bounds of time, memory and concurrency, and writes the results into the
   * directory. Accounts take turns; throws the problem `unavailable` when too many of this one's are waiting.
   */
  decode(
    file: string,
    directory: string,
    accountId: number,
  ): Promise<Decoded | Problem<"unsupported-image" | "unreadable-image" | "image-too-large">>
}

/** A directory of this machine for one piece of work; disposing it removes everything that is still in it. */
export type Stage = AsyncDisposable & {
  path: string
  /** Writes a file into it and resolves with its path. What reading the bytes throws is rethrown. */
  write(name: string, bytes: AsyncIterable<Uint8Array>): Promise<string>
}

/** Stores the bytes of images. All parts of one image are kept, trashed and removed together under one key. */
export type BlobStore = BlobAddresses &
  BlobReader & {
    /** A directory from which `keep` takes files cheaply; `at` in milliseconds since the epoch. */
    stage(at: number): Promise<Stage>
    /** Takes over files, each the bytes of one part; resolves, once all are durable, with their key: a new or the given one. */
    keep(parts: Record<ImagePart, string>, at: number, key?: string): Promise<string>
    /** Removes all parts for good, from the trash too; no error when there are none. */
    remove(key: string): Promise<void>
    /** Moves all parts to the trash, dated `at` (ms); no error when there are none. */
    trash(key: string, at: number): Promise<void>
    /** Brings all parts back from the trash; false when they are not there. Reading a key does the same. */
    restore(key: string): Promise<boolean>
    /** Removes for good what was trashed before this time (ms), to the day; resolves with the number of keys. */
    emptyTrash(before: number): Promise<number>
    /** Whether an operator has agreed to an unusually large sweep; one agreement is good for one. */
    mayTrashMany(): Promise<boolean>
    /** Records, once, to which database everything here belongs. */
    claim(identity: string): Promise<void>
    /** Removes stages from before this time (ms), left behind by a process that was killed. */
    clearStages(before: number): Promise<void>
  }
