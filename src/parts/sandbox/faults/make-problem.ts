import { quotaExceeded, reportUsage } from "../../../core/api/admission/account-quota.ts"
import { challengeTo, scopeMissing } from "../../../core/api/admission/admission.ts"
import { resourceMetadataUrl } from "../../../core/api/authentication/resource-metadata.ts"
import { exampleProblem } from "../../../core/api/problems/problem-example.ts"
import type { Caller } from "../../../core/domain/accounts/model.ts"
import { type Plans, windowSeconds } from "../../../core/domain/limits/model.ts"
import type { Ports } from "../../../core/domain/ports/ports.ts"
import { type ProblemCode, problems } from "../../../core/domain/problems/problems.ts"
import { systemClock } from "../../../core/kernel/clock.ts"
import type { Endpoint } from "../../../core/kernel/endpoint/endpoint.ts"
import { Problem } from "../../../core/kernel/problem.ts"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"
import type { RetryAfter } from "../model.ts"

/** Short, so that tests of retries do not wait long. */
const usual: RetryAfter = { seconds: 1, isDate: false }

/** Makes a problem like the one the service raises, with its headers. */
export function makeProblem(
  { code, retryAfter = usual }: { code: ProblemCode; retryAfter: RetryAfter | undefined },
  exchange: Exchange<Caller>,
  endpoint: Endpoint,
  { plans, publicUrl }: Pick<Ports, "plans" | "publicUrl">,
): Problem {
  if (code === "unauthorized")
    return exampleProblem(code).withHeaders(challengeTo(exchange.request, resourceMetadataUrl(publicUrl())))
  if (code === "forbidden") return scopeMissing(endpoint.scope, resourceMetadataUrl(publicUrl()))
  const problem = code === "quota-exceeded" ? useUp(exchange, plans, retryAfter.seconds) : undefined
  const { detail, ...extras } = problem ?? exampleProblem(code)
  if (!mayBeRepeated(code)) return new Problem(code, detail, extras)
  if (!retryAfter.isDate) return new Problem(code, detail, { ...extras, retryAfter: retryAfter.seconds })
  const headers = { "retry-after": retryAfterText(retryAfter) }
  return new Problem(code, detail, { ...extras, retryAfter: undefined, headers })
}

/** The value of `Retry-After`. */
export const retryAfterText = ({ seconds, isDate }: RetryAfter = usual): string =>
  isDate ? new Date(systemClock.now() + seconds * 1000).toUTCString() : String(seconds)

/** Whether the problem has `Retry-After`. */
export const mayBeRepeated = (code: ProblemCode): boolean =>
  problems[code].status === 429 || problems[code].status === 503 || code === "idempotency-key-in-use"

/** Reports the minute as used up. A plan without limits shows those of the smallest plan. */
function useUp(exchange: Exchange<Caller>, plans: Plans, retryAfterS: number): Problem | undefined {
  const own = exchange.caller?.account.plan ?? "free"
  const plan = plans[own] ? own : "free"
  const quota = plans[plan]
  if (!quota) return undefined
  forgetUsage(exchange)
  const usageOf = (policy: "minute" | "day", remaining: number, resetSeconds: number) => ({
    policy,
    quota: quota[policy],
    windowSeconds: windowSeconds[policy],
    used: quota[policy] - remaining,
    remaining,
    resetSeconds,
  })
  reportUsage(exchange, quota, [
    usageOf("minute", 0, retryAfterS),
    usageOf("day", quota.day - quota.minute, windowSeconds.day),
  ])
  const { detail, ...extras } = quotaExceeded(plan, quota, { violated: ["minute"], retryAfterS })
  const reason = own !== plan ? `The plan ${own} has no limits; this is the response of another one. ` : ""
  return new Problem("quota-exceeded", reason + detail, extras)
}

/** Removes the limits that admission has reported, which contradict this problem. */
function forgetUsage({ headers }: Exchange): void {
  for (let n = headers.length - 2; n >= 0; n -= 2) if (headers[n]?.startsWith("ratelimit")) headers.splice(n, 2)
}
