/** A stored response to a request with an idempotency key. */
export type StoredResponse = {
  /** SHA-256 (hex) of the request. */
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
  /** Stores the response under a key claimed by this transaction; `at` in milliseconds since the epoch. */
  keep(accountId: number, key: string, response: StoredResponse, at: number): Promise<void>
  /** Deletes up to `limit` responses older than `before` (ms); returns their number. */
  prune(before: number, limit: number): Promise<number>
}
