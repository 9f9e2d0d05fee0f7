import type { Page, PageOf } from "../../kernel/endpoint/page.ts"
import type { Key, KeyWithAccount, NewKey } from "./model.ts"

/** API keys in storage. Revoked keys are not found. */
export type KeyStore = {
  /** Adds a key and returns its id. It depends on the person of its account unless another is named. */
  add(key: NewKey): Promise<number>
  /** The key with this SHA-256 (hex) and its account; undefined when the person it depends on has been deleted. */
  byHash(hash: string): Promise<KeyWithAccount | undefined>
  /** The key, locked until the transaction ends. */
  lock(id: number): Promise<Key | undefined>
  /** The key with this id, in any account; undefined when there is none. */
  read(id: number): Promise<Key | undefined>
  /** The account's keys, newest (highest id) first. */
  list(accountId: number, page: Page): Promise<PageOf<Key>>
  /** The keys that depend on a person, in any account, and those of the person's own account. */
  ofPerson(userId: number, accountId: number): Promise<Key[]>
  /** Number of keys of the account. */
  count(accountId: number): Promise<number>
  /** Number of keys that expire after `after` and not after `last` (ms), counted up to `limit`. */
  countExpiring(after: number, last: number, limit: number): Promise<number>
  /** Revokes a key permanently; false when the account has no such key. */
  revoke(id: number, accountId: number, at: number): Promise<boolean>
  /** Deletes up to `limit` keys that were revoked before `before` (ms); returns their number. */
  prune(before: number, limit: number): Promise<number>
  /** Records that the key was replaced at `at` and ends at `endsAt`. */
  rotate(id: number, at: number, endsAt: number): Promise<void>
  /** Records when keys were last used; ignores times earlier than the stored one. */
  used(uses: readonly { id: number; at: number }[]): Promise<void>
}
