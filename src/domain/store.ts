import type { AccountStore } from "./accounts/store.ts"
import type { EventStore } from "./events/store.ts"
import type { IdempotencyStore } from "./idempotency/store.ts"
import type { ImageStore } from "./images/store.ts"
import type { KeyStore } from "./keys/store.ts"
import type { LimitStore } from "./limits/store.ts"
import type { ConsentStore } from "./oauth/consents/store.ts"
import type { OAuthClientStore, OAuthRecordStore, SigningKeyStore } from "./oauth/store.ts"
import type { OrderStore } from "./orders/store.ts"
import type { OriginStore } from "./origin.ts"
import type { PetStore } from "./pets/store.ts"
import type { SessionStore } from "./users/sessions/store.ts"
import type { UserStore } from "./users/store.ts"
import type { DeliveryStore } from "./webhooks/deliveries/store.ts"
import type { WebhookStore } from "./webhooks/store.ts"

/** What can be asked inside and outside a transaction. */
export type Questions = {
  accounts: AccountStore
  consents: ConsentStore
  deliveries: DeliveryStore
  events: EventStore
  idempotency: IdempotencyStore
  images: ImageStore
  keys: KeyStore
  limits: LimitStore
  oauthClients: OAuthClientStore
  oauthRecords: OAuthRecordStore
  orders: OrderStore
  origin: OriginStore
  pets: PetStore
  sessions: SessionStore
  users: UserStore
  signingKeys: SigningKeyStore
  webhooks: WebhookStore
}

/** Storage as the domain sees it. Its conformance suite is the rest of the definition. */
export type Store = Questions & {
  /**
   * Runs `work` so that all of it happens or none of it, apart from everything else that happens, and answers once the
   * result is durable. Whatever `work` throws undoes it and is thrown on. Inside, only `tx` may be asked.
   */
  transaction<T>(work: (tx: Questions) => Promise<T>): Promise<T>
}

/** What a commit changed that somebody may be waiting for: an event was added; a delivery may be due earlier than before. */
export type Change = "event-added" | "delivery-due"

/** A store as its adapter opens it. */
export type Database = Store & {
  /**
   * Calls `listener` after every commit of this process that made one of these changes, once it is durable; what is
   * undone is never told. The listener returns at once and does not throw. Returns how to stop.
   */
  onCommit(listener: (changes: ReadonlySet<Change>) => void): () => void
  /** Lets go of everything, after the transactions that are under way. */
  close(): Promise<void>
}

/** A store whose transactions join one that is already open. */
export const joined = (tx: Questions): Store => ({ ...tx, transaction: (work) => work(tx) })

/** Storage could not do its work; nothing was changed. */
export class StoreUnavailable extends Error {}
