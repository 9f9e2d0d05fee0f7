/** What maintenance rounds have observed of the clock; times in milliseconds since the epoch. */
export type ClockCheck = {
  /** The time of the last round. */
  checkedAt: number
  /** The time of the last round whose clock was trusted. */
  trustedAt: number
  /** Start of the doubt, by the doubted clock; undefined while the clock is trusted. */
  doubtedSince: number | undefined
}
