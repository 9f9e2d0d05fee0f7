import type { Page, PageOf } from "../../kernel/endpoint/page.ts"
import type { Awaitable } from "../../kernel/flow/awaitable.ts"
import type { StoredWebhook } from "./model.ts"

/** Webhooks in storage. Deleted ones are not found. */
export type WebhookStore = {
  /** Adds a webhook with its sealed secret and returns it. `userId` is the person it depends on, if any. */
  add(webhook: Omit<StoredWebhook, "id">, sealedSecret: string, userId?: number): Promise<StoredWebhook>
  /** Number of webhooks of the account. */
  count(accountId: number): Promise<number>
  /** Whether any webhook selects events. */
  anyListens(): Awaitable<boolean>
  /** The account's webhook with this id; without `accountId`, of any account. */
  read(id: number, accountId?: number): Promise<StoredWebhook | undefined>
  /** Like `read`, locked until the transaction ends. */
  lock(id: number, accountId?: number): Promise<StoredWebhook | undefined>
  /** Replaces an existing webhook. */
  put(webhook: StoredWebhook): Promise<void>
  /** Updates only the receiver's health: `failingSince`, `lane` and `averageMs`. */
  putHealth(webhook: StoredWebhook): Promise<void>
  /** Marks the webhook as deleted at this time (ms) and deletes its secrets. */
  remove(id: number, at: number): Promise<void>
  /** Deletes the webhooks that depend on a person, in any account, and those of the person's own account; returns their ids. */
  removeOfPerson(userId: number, accountId: number, at: number): Promise<number[]>
  /** The account's webhooks, newest (highest id) first. */
  list(accountId: number, page: Page): Promise<PageOf<StoredWebhook>>
  /** The sealed secrets that sign at this time (ms), newest first. */
  secrets(id: number, at: number): Promise<string[]>
  /** Adds a secret; existing ones sign until `retireAt` (ms) at the latest. */
  addSecret(id: number, sealed: string, retireAt: number): Promise<void>
  /** Up to `limit` sealed secrets above this internal number, in order. */
  secretsAfter(after: number, limit: number): Promise<{ id: number; sealed: string }[]>
  /** Replaces the sealed text of a secret, by its internal number. */
  reseal(secretId: number, sealed: string): Promise<void>
  /** Any sealed secret, to test whether the configured key opens it. */
  anySecret(): Promise<string | undefined>
  /** Deletes up to `limit` secrets retired before `at` (ms); returns their number. */
  pruneSecrets(at: number, limit: number): Promise<number>
  /** Of the first `limit` webhooks deleted before this time (ms), erases those without deliveries; returns their number. */
  prune(deletedBefore: number, limit: number): Promise<number>
}
