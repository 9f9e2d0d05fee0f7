/** An answer kept for the day: what a repeated request is given again. */
type StoredResponse = {
  /** SHA-256 (hex) of what was asked. */
  fingerprint: string
  status: number
  etag: string | undefined
  json: string
}

/** Answers by `Idempotency-Key`, per account. */
export type IdempotencyStore = {
  /** The response stored under the account's key since `notBefore` (ms); undefined when there is none. */
  read(accountId: number, key: string, notBefore: number): Promise<StoredResponse | undefined>
  /** Keeps the answer, replacing one that has outlived its day. */
  put(accountId: number, key: string, answer: StoredResponse, at: number): Promise<void>
  /** Forgets up to `limit` answers older than `before`; answers how many. */
  prune(before: number, limit: number): Promise<number>
}
