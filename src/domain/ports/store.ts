import type { Measured } from "../../kernel/measure.ts"
import type { AccountStore } from "../accounts/store.ts"
import type { AuditStore } from "../audit/store.ts"
import type { ClockCheckStore } from "../clock/store.ts"
import type { EventStore } from "../events/store.ts"
import type { ImageStore } from "../images/store.ts"
import type { KeyStore } from "../keys/store.ts"
import type { LimitStore } from "../limits/store.ts"
import type { ConsentStore } from "../oauth/consents/store.ts"
import type { OAuthClientStore, OAuthRecordStore, SigningKeyStore } from "../oauth/store.ts"
import type { OrderStore } from "../orders/store.ts"
import type { PetStore } from "../pets/store.ts"
import type { SessionStore } from "../users/sessions/store.ts"
import type { UserStore } from "../users/store.ts"
import type { DeliveryStore } from "../webhooks/deliveries/store.ts"
import type { WebhookStore } from "../webhooks/store.ts"
import type { IdempotencyStore } from "./idempotency.ts"
import type { OriginStore } from "./origin.ts"
import type { LeaseStore, ReplicaStore } from "./replicas.ts"

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
   * Runs `work` in an isolated transaction and resolves with its result once the commit is durable. An error of `work` rolls it
   * back and is rethrown. `work` uses only `tx`, and may run again after a rollback on behalf of other transactions.
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
   * Calls `listener` after every durable commit of this process with one of these changes. It must return at once and not
   * throw. Returns how to unsubscribe.
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
