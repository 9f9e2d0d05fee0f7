import { type ProblemCode, problems } from "../../../core/domain/problems/problems.ts"
import type { Problem } from "../../../core/kernel/problem.ts"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"

/** The message of a problem for a person. Adds `Retry-After` to the response. */
export function failureOf(exchange: Exchange, { code, detail, retryAfter }: Problem) {
  if (retryAfter !== undefined) exchange.header("retry-after", String(retryAfter))
  const { status, title } = problems[code as ProblemCode]
  const wait = code === "too-many-attempts" ? ` Try again in ${Math.ceil((retryAfter ?? 0) / 60)} minutes.` : ""
  return { status, title, detail, message: `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.${wait}` }
}
