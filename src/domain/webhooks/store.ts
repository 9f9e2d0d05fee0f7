import type { Awaitable } from "../../kernel/flow/awaitable.ts"
import type { Page, PageOf } from "../../kernel/page.ts"
import type { StoredWebhook } from "./model.ts"

/** What the service asks storage about webhooks. A deleted one is not found by any of it. */
export type WebhookStore = {
  /** Adds a webhook with its sealed secret and returns it with its new id. `userId` is the person it rests on, if any. */
  add(webhook: Omit<StoredWebhook, "id">, sealedSecret: string, userId?: number): Promise<StoredWebhook>
  /** How many the account has. */
  count(accountId: number): Promise<number>
  /** Whether anybody's webhook wants any event. */
  anyListens(): Awaitable<boolean>
  /** The account's webhook of this id; without `accountId`, whosever it is. */
  read(id: number, accountId?: number): Promise<StoredWebhook | undefined>
  /** Like `read`, and nobody else changes it until the transaction ends. */
  lock(id: number, accountId?: number): Promise<StoredWebhook | undefined>
  /** Replaces a webhook that is there. */
  put(webhook: StoredWebhook): Promise<void>
  /** Replaces only what is known of the receiver's health: `failingSince`, `lane` and `averageMs`. */
  putHealth(webhook: StoredWebhook): Promise<void>
  /** Marks the webhook as deleted at this time (ms) and erases its secrets. */
  remove(id: number, at: number): Promise<void>
  /** Removes the webhooks that rest on a person, in whatever account, and those of the account that is theirs; returns their ids. */
  removeOfPerson(userId: number, accountId: number, at: number): Promise<number[]>
  /** The account's webhooks, newest (highest id) first. */
  list(accountId: number, page: Page): Promise<PageOf<StoredWebhook>>
  /** The sealed secrets that sign at this time (ms), newest first. */
  secrets(id: number, at: number): Promise<string[]>
  /** Adds a secret; those there are sign no longer than until `retireAt` (ms). */
  addSecret(id: number, sealed: string, retireAt: number): Promise<void>
  /** Up to `limit` sealed secrets above this internal number, in the order of those. */
  secretsAfter(after: number, limit: number): Promise<{ id: number; sealed: string }[]>
  /** Replaces the sealed text of a secret, named by its internal number. */
  reseal(secretId: number, sealed: string): Promise<void>
  /** Any sealed secret, to see whether the key at hand opens it. */
  anySecret(): Promise<string | undefined>
  /** Forgets up to `limit` secrets retired before `at` (ms); returns how many. */
  pruneSecrets(at: number, limit: number): Promise<number>
  /** Forgets, of the first `limit` webhooks deleted before this time (ms), those no delivery refers to; returns how many. */
  prune(deletedBefore: number, limit: number): Promise<number>
}
