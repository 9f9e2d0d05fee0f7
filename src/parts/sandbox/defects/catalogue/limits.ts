import { Problem } from "../../../../core/kernel/problem.ts"
import { asRefused } from "../acting.ts"
import type { defectIds } from "../contract.ts"
import { type Defects, onProblem } from "../defect.ts"

const flood = "-i $URL/api/v3/pet/1 -H 'api_key: free-key' # 61 times in a minute"

/** The limits of a plan. */
export const limitDefects: Defects<(typeof defectIds.limits)[number]> = {
  "limit-not-enforced": {
    wrong: "Requests beyond the plan are served.",
    breaks: "A request beyond the plan is 429.",
    see: flood,
    seenWith: ["limited key", "user token"],
    around: {
      any: onProblem(["quota-exceeded"], (exchange, next, refusal) => {
        if (exchange.caller) return asRefused(exchange, next, exchange.caller)
        throw refusal
      }),
    },
  },
  "retry-after-missing": {
    wrong: "A 429 does not say when to try again.",
    breaks: "A 429 has `Retry-After`.",
    see: flood,
    seenWith: ["limited key", "user token"],
    around: {
      any: onProblem(["quota-exceeded"], (_exchange, _next, { code, detail }) => {
        throw new Problem(code, detail)
      }),
    },
  },
}
