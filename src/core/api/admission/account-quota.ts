import type { Plan } from "../../domain/accounts/contract.ts"
import type { Caller } from "../../domain/accounts/model.ts"
import type { LimitUsage } from "../../domain/limits/contract.ts"
import { type LimitReached, type Plans, type Quota, type WindowName, windowSeconds } from "../../domain/limits/model.ts"
import type { Limiter, Verdict } from "../../domain/ports/limiter.ts"
import { type Awaitable, andThen } from "../../kernel/flow/awaitable.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Exchange } from "../../server/exchange/exchange.ts"
import { timed } from "../../server/exchange/timed.ts"
import { admittedCaller } from "../authentication/caller.ts"

/** The headers of a response, where there is one of the API. */
type Headers = Partial<Pick<Exchange, "replaceHeader" | "observation">>

export type AccountQuota = {
  /** Counts a request and adds the headers of draft-ietf-httpapi-ratelimit-headers. Throws the 429 when the plan is used up. */
  limitAccount(exchange: Exchange<Caller>): Awaitable<void>
  /**
   * Counts a further request of a running operation; returns the 429 when the plan is used up. The headers of a response say what
   * is left after it.
   */
  takeFromPlan(caller: Caller, response?: Headers): Promise<Problem | undefined>
}

/** Counts requests against the plans of accounts. `count` receives the outcome of each request; of a further one, only when it is admitted. */
export function createAccountQuota(
  { limiter, plans }: { limiter: Limiter; plans: Plans },
  count: (plan: string, isAdmitted: boolean) => void,
): AccountQuota {
  function report(exchange: Exchange<Caller>, { full, usage }: Verdict): void {
    const { plan } = admittedCaller(exchange).account
    const quota = plans[plan] as Quota
    reportUsage(exchange, quota, usage)
    count(plan, !full)
    if (full) throw quotaExceeded(plan, quota, full)
  }

  function admit(exchange: Exchange<Caller>): Awaitable<void> {
    const { id, plan } = admittedCaller(exchange).account
    return andThen(exchange, limiter.admit(id, plans[plan] as Quota), report)
  }

  return {
    limitAccount(exchange) {
      const { plan } = admittedCaller(exchange).account
      if (plans[plan]) return timed(exchange, "limits", admit)
      count(plan, true)
    },

    async takeFromPlan({ account: { id, plan } }, response) {
      const quota = plans[plan]
      const verdict = quota && (await limiter.admit(id, quota))
      if (verdict) response?.replaceHeader?.("ratelimit", describeUsage(verdict.usage))
      noteLimits(response, verdict?.usage)
      if (verdict?.full) return quotaExceeded(plan, quota as Quota, verdict.full)
      count(plan, true)
    },
  }
}

function noteLimits(exchange: Headers | undefined, usage: readonly LimitUsage[] | undefined): void {
  const judgement = exchange?.observation?.judgement
  if (judgement && usage) judgement.limits = usage
}

/** Adds the account's limits to the response, also to a problem. */
export function reportUsage(exchange: Exchange, quota: Quota, usage: readonly LimitUsage[]): void {
  noteLimits(exchange, usage)
  exchange.header("ratelimit-policy", policyOf(quota))
  exchange.header("ratelimit", describeUsage(usage))
}

/** The 429 of a plan that is used up. */
export function quotaExceeded(plan: Plan, quota: Quota, { violated, retryAfterS }: LimitReached): Problem {
  const allowed = violated
    .map((policy) => `${quota[policy]} ${quota[policy] === 1 ? "request" : "requests"} a ${policy}`)
    .join(" and ")
  const detail = `The plan ${plan} allows ${allowed}; there is room again in ${retryAfterS} ${retryAfterS === 1 ? "second" : "seconds"}`
  return new Problem("quota-exceeded", detail, { retryAfter: retryAfterS, members: { "violated-policies": violated } })
}

const policies = Object.keys(windowSeconds) as WindowName[]
const headers = new WeakMap<Quota, string>()

function policyOf(quota: Quota): string {
  const known = headers.get(quota)
  if (known !== undefined) return known
  const header = policies.map((policy) => `"${policy}";q=${quota[policy]};w=${windowSeconds[policy]}`).join(", ")
  headers.set(quota, header)
  return header
}

function describeUsage(usage: readonly LimitUsage[]): string {
  let header = ""
  for (const { policy, remaining, resetSeconds } of usage)
    header += `${header && ", "}"${policy}";r=${remaining};t=${resetSeconds}`
  return header
}
