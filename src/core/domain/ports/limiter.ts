import type { LimitUsage } from "../limits/contract.ts"
import type { LimitReached, Quota } from "../limits/model.ts"

/** The result for one request: `full` says why it was rejected, `usage` is the use of each window after it. */
export type Verdict = { full: LimitReached | undefined; usage: readonly LimitUsage[] }

/**
 * Counts requests per account: a sliding minute, exact to the millisecond, and a sliding day in cells of one minute, rounded
 * against the caller. Has a clock of its own.
 */
export type Limiter = {
  /** Counts a request in both windows, or in neither when one is full. */
  admit(accountId: number, quota: Quota): Verdict | Promise<Verdict>
  /** The account's use of each window, without counting. */
  usage(accountId: number, quota: Quota): Promise<readonly LimitUsage[]>
  /** Resolves once all counts are stored. */
  flush(): Promise<void>
}
