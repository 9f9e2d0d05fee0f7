import type { Key, KeyWithAccount } from "./contract.ts"

/** What the service asks storage about API keys. */
export type KeyStore = {
  /** Adds a key and answers its new id. */
  add(key: Omit<Key, "id">): Promise<number>
  /** The key with this SHA-256 (hex) and the account it belongs to; revoked keys are not found. */
  byHash(hash: string): Promise<KeyWithAccount | undefined>
  /** Revokes a key for good; false when there is no such key in the account, or it is revoked already. */
  revoke(id: number, accountId: number, at: number): Promise<boolean>
}
