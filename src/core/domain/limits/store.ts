/** The requests of an account admitted in one minute. */
export type Cell = {
  accountId: number
  /** Minutes since the epoch. */
  minute: number
  count: number
  /** Times of the latest of them, in milliseconds from the start of the minute, ascending; older ones need no exact time. */
  offsetsMs: number[]
}

/** Counted requests in storage. */
export type LimitStore = {
  /** The cells of an account from a minute on, oldest first. */
  cells(accountId: number, fromMinute: number): Promise<Cell[]>
  /** Stores cells, replacing those of the same account and minute. */
  put(cells: readonly Cell[]): Promise<void>
  /** Moves counts of later minutes to `minute`, after the clock was set back. */
  moveBack(minute: number): Promise<void>
  /** Deletes up to `limit` cells older than a minute; returns their number. */
  prune(beforeMinute: number, limit: number): Promise<number>
}
