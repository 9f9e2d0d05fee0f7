const mebibyte = 1024 * 1024

/** Limits, in bytes, on responses held in memory for clients that have not read them. */
export type UnreadBudgets = {
  /** Unread bytes of a stream, after which its connection is closed. */
  perConnection: number
  /** Per account; anonymous clients share one budget. */
  perAccount: number
  total: number
}

/** The longest response that is in memory as a whole, in bytes. A budget that it exceeds would refuse it for ever. */
const longestResponseBytes = 16 * mebibyte

/** The budgets of a process with this much memory: an eighth in total, and an eighth of that per account, but at least one response. */
export function unreadBudgetsFor(memoryBytes: number): UnreadBudgets {
  const total = Math.min(Math.max(memoryBytes / 8, 32 * mebibyte), 256 * mebibyte)
  return { perConnection: 4 * mebibyte, perAccount: Math.max(total / 8, longestResponseBytes), total }
}
