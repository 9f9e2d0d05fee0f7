const mebibyte = 1024 * 1024

/** Limits, in bytes, on responses held in memory for clients that have not read them. */
export type UnreadBudgets = {
  /** Per connection, which has one response at a time. */
  perConnection: number
  /** Per account; anonymous clients share one budget. */
  perAccount: number
  total: number
}

/** The budgets of a process with this much memory: an eighth in total, and an eighth of that per account. */
export function unreadBudgetsFor(memoryBytes: number): UnreadBudgets {
  const total = Math.min(Math.max(memoryBytes / 8, 32 * mebibyte), 256 * mebibyte)
  return { perConnection: 4 * mebibyte, perAccount: total / 8, total }
}
