/** A response kept for repeated requests. */
export type StoredResponse = {
  /** SHA-256 (hex) of what was asked. */
  fingerprint: string
  status: number
  etag: string | undefined
  json: string
}

/** Responses by `Idempotency-Key`, per account. */
export type IdempotencyStore = {
  /** The response stored under the account's key since `notBefore` (ms); undefined when there is none. */
  read(accountId: number, key: string, notBefore: number): Promise<StoredResponse | undefined>
  /**
   * Reserves the key for this transaction; false when a response has been stored since `notBefore` (ms). Waits for any other
   * transaction that has the key. Followed by `keep`.
   */
  claim(accountId: number, key: string, notBefore: number): Promise<boolean>
  /** Keeps the response under a key that this transaction has claimed; `at` in milliseconds since the epoch. */
  keep(accountId: number, key: string, response: StoredResponse, at: number): Promise<void>
  /** Forgets up to `limit` responses older than `before` (ms); returns how many. */
  prune(before: number, limit: number): Promise<number>
}
