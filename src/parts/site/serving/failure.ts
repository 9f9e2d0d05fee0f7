import { type ProblemCode, problems } from "../../../core/domain/problems/problems.ts"
import type { Problem } from "../../../core/kernel/problem.ts"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"

/** The message of a problem for a person. Adds `Retry-After` to the response. */
export function failureOf(exchange: Exchange, { code, detail, retryAfter }: Problem) {
  if (retryAfter !== undefined) exchange.header("retry-after", String(retryAfter))
  const { status, title } = problems[code as ProblemCode]
  const said = code === "current-password-required" ? confirmation : detail
  const wait = code === "too-many-attempts" ? ` Try again in ${Math.ceil((retryAfter ?? 0) / 60)} minutes.` : ""
  return { status, title, detail, message: `${said.charAt(0).toUpperCase()}${said.slice(1)}.${wait}` }
}

/** Without the name of a member, which a form does not show. */
const confirmation = "Your current password is missing or wrong, and nothing was changed"
