import assert from "node:assert/strict"
import { test } from "node:test"
import { exchangeOf } from "../../../test/harness/exchange.ts"
import { principalOf } from "../../../test/harness/principal.ts"
import type { LimitUsage } from "../../domain/limits/contract.ts"
import type { LimitReached } from "../../domain/limits/model.ts"
import type { Verdict } from "../../domain/ports/limiter.ts"
import { Problem } from "../../kernel/problem.ts"
import { nothingKnown } from "../sandbox/explain.ts"
import { accountQuota, quotaExceeded, reportUsage } from "./account-quota.ts"

const quota = { minute: 60, day: 1 }
const usage: readonly [LimitUsage, LimitUsage] = [
  { policy: "minute", quota: 60, windowSeconds: 60, used: 1, remaining: 59, resetSeconds: 7 },
  { policy: "day", quota: 1, windowSeconds: 86_400, used: 1, remaining: 0, resetSeconds: 9 },
]
const reported = [
  "ratelimit-policy",
  '"minute";q=60;w=60, "day";q=1;w=86400',
  "ratelimit",
  '"minute";r=59;t=7, "day";r=0;t=9',
]
const { caller } = principalOf(7)
const unlimited = { ...caller, account: { ...caller.account, plan: "pro" as const } }

function limiting(full?: LimitReached, isLater = false) {
  const counted: [string, boolean][] = []
  const asked: unknown[] = []
  const { limitAccount, takeFromPlan } = accountQuota(
    {
      limiter: {
        admit: (...args) => {
          asked.push(args)
          const verdict: Verdict = { full, usage }
          return isLater ? Promise.resolve(verdict) : verdict
        },
        usage: () => assert.fail("nothing is read without being counted"),
        flush: () => assert.fail("nothing is written"),
      },
      plans: { free: quota, pro: undefined, enterprise: undefined },
    },
    (plan, isAdmitted) => counted.push([plan, isAdmitted]),
  )
  return { limitAccount, takeFromPlan, counted, asked }
}

function exchangeBy(by: typeof caller) {
  const exchange = exchangeOf("/api/v3/pet")
  exchange.caller = by
  exchange.explanation = nothingKnown()
  return exchange
}

test("a request is counted, and its response says what is left", async () => {
  for (const isLater of [false, true]) {
    const { limitAccount, counted, asked } = limiting(undefined, isLater)
    const exchange = exchangeBy(caller)
    await limitAccount(exchange)
    assert.deepEqual([exchange.headers, exchange.explanation?.limits], [reported, usage])
    assert.deepEqual([counted, asked], [[["free", true]], [[7, quota]]])
  }
})

test("a request above the plan is refused, with the same headers", async () => {
  const { limitAccount, counted } = limiting({ violated: ["day"], retryAfterS: 9 })
  const exchange = exchangeBy(caller)
  await assert.rejects(
    async () => limitAccount(exchange),
    (error: Problem) => error.code === "quota-exceeded" && error.retryAfter === 9,
  )
  assert.deepEqual([exchange.headers, counted], [reported, [["free", false]]])
})

test("an account without limits is counted and has no headers", async () => {
  const { limitAccount, takeFromPlan, counted, asked } = limiting()
  const exchange = exchangeBy(unlimited)
  await limitAccount(exchange)
  assert.equal(await takeFromPlan(unlimited, exchange), undefined)
  assert.deepEqual([exchange.headers, exchange.explanation?.limits], [[], []])
  assert.deepEqual([counted, asked], [Array(2).fill(["pro", true]), []])
})

test("a further request of an operation replaces what is left, and is counted when it is admitted", async () => {
  const admitted = limiting()
  const exchange = exchangeBy(caller)
  reportUsage(exchange, quota, [{ ...usage[0], remaining: 60 }, usage[1]])
  assert.equal(await admitted.takeFromPlan(caller, exchange), undefined)
  assert.deepEqual([exchange.headers, exchange.explanation?.limits], [reported, usage])
  assert.equal(await admitted.takeFromPlan(caller), undefined)
  assert.deepEqual(admitted.counted, Array(2).fill(["free", true]))
  const refused = limiting({ violated: ["minute"], retryAfterS: 3 })
  const problem = await refused.takeFromPlan(caller, exchangeBy(caller))
  assert.ok(problem instanceof Problem)
  assert.deepEqual([problem.code, problem.retryAfter, refused.counted], ["quota-exceeded", 3, []])
})

test("a refusal names the windows that are full, and when one is free", () => {
  const both = quotaExceeded("free", quota, { violated: ["minute", "day"], retryAfterS: 1 })
  assert.match(both.detail, /^The plan free allows 60 requests a minute and 1 request a day; .* again in 1 second$/)
  assert.deepEqual(both.members, { "violated-policies": ["minute", "day"] })
  assert.match(
    quotaExceeded("free", quota, { violated: ["day"], retryAfterS: 2 }).detail,
    /allows 1 request a day; .* in 2 seconds$/,
  )
})

test("a request without an explanation has the headers alone", () => {
  const exchange = exchangeOf("/api/v3/pet")
  reportUsage(exchange, quota, usage)
  assert.deepEqual([exchange.headers, exchange.explanation], [reported, undefined])
})
