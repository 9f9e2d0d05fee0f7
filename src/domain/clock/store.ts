/** What rounds of maintenance have seen of the clock; times in milliseconds since the epoch. */
export type ClockCheck = {
  /** The time of the last round. */
  checkedAt: number
  /** The time of the last round whose clock was believed. */
  trustedAt: number
  /** Since when the clock is doubted, by that clock; undefined while it is believed. */
  doubtedSince: number | undefined
}

/** What storage remembers of the clock, across restarts and for every process of the database. */
export type ClockCheckStore = {
  /** Undefined before the first round. */
  read(): Promise<ClockCheck | undefined>
  put(check: ClockCheck): Promise<void>
  /** The database's own time. */
  databaseTime(): Promise<number>
}
