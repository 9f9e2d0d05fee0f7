import type { Caller } from "../../domain/accounts/model.ts"
import type { Standing } from "../../domain/limits/contract.ts"
import { type Plans, type Policy, type Quota, windowSeconds } from "../../domain/limits/model.ts"
import type { Limiter, Verdict } from "../../domain/ports.ts"
import { type Awaitable, andThen } from "../../kernel/awaitable.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Exchange } from "../exchange.ts"

/**
 * Counts a request against its account's plan and tells the caller where it stands, in the headers of
 * draft-ietf-httpapi-ratelimit-headers. Throws the 429 when the plan is used up.
 */
export function accountQuota({ limiter, plans }: { limiter: Limiter; plans: Plans }) {
  function report(exchange: Exchange, { full, standings }: Verdict): void {
    const { plan } = (exchange.caller as Caller).account
    const quota = plans[plan] as Quota
    exchange.header("ratelimit-policy", policyOf(quota))
    exchange.header("ratelimit", describeStandings(standings))
    if (!full) return
    const { violated, retryAfterS } = full
    const allowed = violated.map((policy) => `${quota[policy]} requests a ${policy}`).join(" and ")
    const detail = `The plan ${plan} allows ${allowed}; there is room again in ${retryAfterS} seconds`
    throw new Problem("quota-exceeded", detail, {
      retryAfter: retryAfterS,
      members: { "violated-policies": violated },
    })
  }

  return (exchange: Exchange): Awaitable<void> => {
    const { id, plan } = (exchange.caller as Caller).account
    const quota = plans[plan]
    if (quota) return andThen(exchange, limiter.admit(id, quota), report)
  }
}

const policies = Object.keys(windowSeconds) as Policy[]
const headers = new WeakMap<Quota, string>()

function policyOf(quota: Quota): string {
  const known = headers.get(quota)
  if (known !== undefined) return known
  const header = policies.map((policy) => `"${policy}";q=${quota[policy]};w=${windowSeconds[policy]}`).join(", ")
  headers.set(quota, header)
  return header
}

function describeStandings(standings: readonly Standing[]): string {
  let header = ""
  for (const { policy, remaining, resetSeconds } of standings)
    header += `${header && ", "}"${policy}";r=${remaining};t=${resetSeconds}`
  return header
}
