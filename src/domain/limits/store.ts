/** What was admitted of an account in one minute. */
export type Cell = {
  accountId: number
  /** Minutes since the epoch. */
  minute: number
  count: number
  /** When in the minute the latest of them were, in milliseconds from its start, ascending; the others are long past. */
  offsetsMs: number[]
}

/** What the service asks storage about requests counted. */
export type LimitStore = {
  /** The cells of an account from a minute on, oldest first. */
  cells(accountId: number, fromMinute: number): Promise<Cell[]>
  /** Stores cells, each in place of the one of its account and minute. */
  put(cells: readonly Cell[]): Promise<void>
  /** Counts in `minute` what is stored for later ones: the clock was set back since. */
  moveBack(minute: number): Promise<void>
  /** Forgets up to `limit` cells older than a minute; returns how many. */
  prune(beforeMinute: number, limit: number): Promise<number>
}
