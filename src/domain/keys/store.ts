import type { Page, PageOf } from "../../kernel/page.ts"
import type { Key, KeyWithAccount, NewKey } from "./model.ts"

/** The SHA-256 (hex) of each key that everybody knows, such as the sandbox's; empty in production. */
export type KnownKeys = ReadonlySet<string>

/** What the service asks storage about API keys. A revoked key is not there, whoever asks. */
export type KeyStore = {
  /** Adds a key and returns its new id. It rests on the person whose account it is for, when nobody else is named. */
  add(key: NewKey): Promise<number>
  /** The key with this SHA-256 (hex) and the account it belongs to; undefined when the person it rests on is gone. */
  byHash(hash: string): Promise<KeyWithAccount | undefined>
  /** A key, which nobody else changes until the transaction ends. */
  lock(id: number): Promise<Key | undefined>
  /** The key of this id, in whatever account; undefined when there is none. */
  read(id: number): Promise<Key | undefined>
  /** The account's keys, newest (highest id) first. */
  list(accountId: number, page: Page): Promise<PageOf<Key>>
  /** The keys that rest on a person, in whatever account, and those of the account that is theirs. */
  ofPerson(userId: number, accountId: number): Promise<Key[]>
  /** How many keys the account has. */
  count(accountId: number): Promise<number>
  /** Revokes a key for good; false when there is no such key in the account. */
  revoke(id: number, accountId: number, at: number): Promise<boolean>
  /** Forgets up to `limit` keys that were revoked before `before` (ms); returns how many. */
  prune(before: number, limit: number): Promise<number>
  /** Notes that another key took this one's place at `at` and that it ends at `endsAt`. */
  rotate(id: number, at: number, endsAt: number): Promise<void>
  /** Notes when keys were last used; an earlier time than the one stored changes nothing. */
  used(uses: readonly { id: number; at: number }[]): Promise<void>
}
