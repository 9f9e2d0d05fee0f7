import { Problem } from "../../kernel/problem.ts"

const mebibyte = 1024 * 1024
const retryAfterS = 2

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

const refusal = (detail: string): Problem => new Problem("overloaded", detail, { retryAfter: retryAfterS })

/** The 503 of an account whose budget is used up. */
export const accountIsFull = ({ perAccount }: UnreadBudgets): Problem =>
  refusal(
    `Clients of this account have not read ${Math.round(perAccount / mebibyte)} MiB of responses: read them first`,
  )

/** The 503 of a process whose budget is used up. */
export const processIsFull = (): Problem => refusal("The service holds as many unread responses as it may")

/** The 503 of a response that is larger than the budget of a connection. */
export const responseIsTooLarge = (): Problem => refusal("The response is larger than the service sends as a whole")
