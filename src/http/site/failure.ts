import type { Problem } from "../../kernel/problem.ts"
import type { Exchange } from "../pipeline/exchange.ts"
import { kindOf } from "../writing/problem-response.ts"

/** What a page tells a person of a problem; the response says when to try again. */
export function failureOf(exchange: Exchange, { code, detail, retryAfter }: Problem) {
  if (retryAfter !== undefined) exchange.header("retry-after", String(retryAfter))
  const { status, title } = kindOf(code)
  const wait = code === "too-many-attempts" ? ` Try again in ${Math.ceil((retryAfter ?? 0) / 60)} minutes.` : ""
  return { status, title, detail, message: `${detail}.${wait}` }
}
