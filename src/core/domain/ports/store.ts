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
import { hashedRecords } from "../problems/hashed.ts"
import type { SessionStore } from "../users/sessions/store.ts"
import type { UserStore } from "../users/store.ts"
import type { DeliveryStore } from "../webhooks/deliveries/store.ts"
import type { WebhookStore } from "../webhooks/store.ts"
import type { HashedKind, HashStore } from "./hashes.ts"
import type { IdempotencyStore } from "./idempotency.ts"
import type { OriginStore } from "./origin.ts"
import type { LeaseStore, ReplicaStore } from "./replicas.ts"

/** The repositories, inside or outside a transaction. */
export type Repositories = {
  accounts: AccountStore
  audit: AuditStore
  clockChecks: ClockCheckStore
  consents: ConsentStore
  deliveries: DeliveryStore
  events: EventStore
  hashes: HashStore
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

/**
 * Storage for the domain. Every method throws, synchronously or through its promise, StoreUnavailable when it cannot work, and
 * DamagedRecord when what it read is not what was stored.
 */
export type Store = Repositories & {
  /**
   * Runs `work` in an isolated transaction and resolves with its result once the commit is durable. An error of `work` rolls it
   * back and is rethrown. `work` uses only `tx`, and may run again after a rollback on behalf of other transactions.
   */
  transaction<T>(work: (tx: Repositories) => Promise<T>): Promise<T>
  /**
   * The same for work that can serve several callers in one transaction, which PostgreSQL does: `work` has the inputs of calls that
   * arrive together, and a result for each. After an error of it, or RowsUnavailable, each input runs in a transaction of its own,
   * so that what is wrong with one concerns no other.
   */
  shared<In, Out>(work: SharedWork<In, Out>, input: In): Promise<Out>
}

/** Work for several callers: the results have the order of the inputs. */
export type SharedWork<In, Out> = (tx: Repositories, inputs: readonly In[]) => Promise<Out[]>

/** What a commit changed: an event; deliveries, which may be due earlier; anything, after its callers received OutcomeUnknown. */
export type Change = "event-added" | "delivery-due" | "outcome-unknown"

/** A store with the operations of its adapter. */
export type Database = Store & {
  /** Product and version at the start, such as SQLite 3.51.0. */
  product: string
  /** Whether several processes may use the database. */
  isShared: boolean
  /** Transactions of background work that should run at once, so that requests have the others. */
  backgroundMax: number
  /**
   * Calls `listener` after every durable commit of this process with one of these changes. It must return at once and not
   * throw. Returns how to unsubscribe.
   */
  onCommit(listener: (changes: ReadonlySet<Change>) => void): () => void
  /** Why writes currently fail, as the end of a sentence, or undefined; free. Absent where it cannot be known. */
  refusesWrites?(): string | undefined
  /** What fails although reads and writes work, one word each; free. */
  degraded?(): readonly string[]
  /**
   * Replaces all data by what `fill` writes into an empty store, or into one with these tables, in one step that is durable when it
   * resolves, at a cost that does not depend on the old data. Ids start at 1 again. The identity, the keys that sign tokens and the
   * state of running processes remain. Waits for other transactions and blocks new ones. Tables need a database that is not shared.
   */
  startOver(fill: (tx: Repositories) => Promise<void>, tables?: Iterable<TableRows>): Promise<void>
  /** Returns some unused space to the disk; returns the number of pages, 0 where the database does this itself. */
  compact(): Promise<number>
  /** Closes everything after running transactions have ended. */
  close(): Promise<void>
} & Partial<Measured>

/** The columns and the rows of a table. */
export type TableRows = {
  name: string
  columns: readonly string[]
  rows: Iterable<TableRow>
}

/** A row, which contains text and integers. */
export type TableRow = readonly (string | number | null)[]

/** Storage failed and nothing was changed, unless it is OutcomeUnknown. */
export class StoreUnavailable extends Error {}

/** Storage could not do a transaction because of the rows that it uses: a lock, a conflict, their number. Others can succeed. */
export class RowsUnavailable extends StoreUnavailable {}

/** Storage failed during a commit: either all of the change is stored or none of it. */
export class OutcomeUnknown extends StoreUnavailable {}

/** A record in storage does not match its hash: it was changed by something else than the service, such as a failing disk. */
export class DamagedRecord extends Error {
  constructor(kind: HashedKind, id: number) {
    const { one } = hashedRecords[kind]
    super(`${one.charAt(0).toUpperCase()}${one.slice(1)} ${id} does not match its hash`)
  }
}

/** For `catch` where a damaged record is left out; throws any other error again. */
export function unlessDamaged(error: unknown): undefined {
  if (!(error instanceof DamagedRecord)) throw error
}
