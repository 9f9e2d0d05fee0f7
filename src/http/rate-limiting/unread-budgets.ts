const mebibyte = 1024 * 1024

/** How many bytes of responses the process holds in memory for clients that have not read them. */
export type UnreadBudgets = {
  /** Of one connection, which has one response at a time. */
  perConnection: number
  /** Of all connections of an account; anonymous clients share one. */
  perAccount: number
  total: number
}

/** The budgets of a process that may use so many bytes of memory: an eighth for all, an eighth of that for an account. */
export function unreadBudgetsFor(memoryBytes: number): UnreadBudgets {
  const total = Math.min(Math.max(memoryBytes / 8, 32 * mebibyte), 256 * mebibyte)
  return { perConnection: 4 * mebibyte, perAccount: total / 8, total }
}
