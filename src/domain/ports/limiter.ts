import type { Standing } from "../limits/contract.ts"
import type { Full, Quota } from "../limits/model.ts"

/** What became of one request: `full` says why it was not admitted, `standings` where the account stands after it. */
export type Verdict = { full: Full | undefined; standings: readonly Standing[] }

/**
 * Counts requests per account: a sliding minute, exact to the millisecond, and a sliding day in cells of one minute, rounded
 * against the caller. Has a clock of its own.
 */
export type Limiter = {
  /** Counts one more request in both windows, or in neither when one is full. */
  admit(accountId: number, quota: Quota): Verdict | Promise<Verdict>
  /** Where the account stands in each window; counts nothing. */
  standings(accountId: number, quota: Quota): Promise<readonly Standing[]>
  /** Resolves once everything counted is stored. */
  close(): Promise<void>
}
