import assert from "node:assert/strict"
import { test } from "node:test"
import { plainEndpoint } from "../../../test/harness/endpoint.ts"
import { exchangeOf } from "../../../test/harness/exchange.ts"
import { principalOf } from "../../../test/harness/principal.ts"
import type { Plan } from "../../domain/accounts/contract.ts"
import type { Caller } from "../../domain/accounts/model.ts"
import type { Plans } from "../../domain/limits/model.ts"
import type { ProblemCode } from "../../domain/problems/problems.ts"
import type { RetryAfter } from "../../domain/sandbox/model.ts"
import type { Endpoint } from "../../kernel/endpoint/endpoint.ts"
import { makeProblem, mayBeRepeated } from "./make-problem.ts"

const endpoint: Endpoint = { ...plainEndpoint, scope: "read:pets" }
const usual: Plans = { free: { minute: 60, day: 1000 }, pro: { minute: 600, day: 9000 }, enterprise: undefined }

function exchangeBy(plan: Plan | undefined, headers: Record<string, string> = {}) {
  const exchange = exchangeOf("/pet", { headers })
  const { caller } = principalOf(1)
  const by: Caller | undefined = plan && { ...caller, account: { ...caller.account, plan } }
  exchange.caller = by
  return exchange
}

const make = (code: ProblemCode, exchange = exchangeBy("free"), retryAfter?: RetryAfter, plans = usual) =>
  makeProblem({ code, retryAfter }, exchange, endpoint, { plans, publicUrl: () => "https://a.example" })

test("a problem that may be repeated says when, in seconds or as a date", () => {
  const repeatable = ["too-many-requests", "overloaded", "unavailable", "idempotency-key-in-use"] as const
  for (const code of repeatable) {
    assert.equal(make(code).retryAfter, 1)
    assert.equal(make(code, undefined, { seconds: 7, isDate: false }).retryAfter, 7)
    assert.equal(mayBeRepeated(code), true)
  }
  const before = Date.now()
  const { retryAfter, headers } = make("overloaded", undefined, { seconds: 3600, isDate: true })
  const until = Date.parse(String(headers["retry-after"]))
  assert.equal(retryAfter, undefined)
  assert.ok(until > before + 3_598_000 && until <= Date.now() + 3_600_000, String(headers["retry-after"]))
  for (const code of ["pet-not-found", "pet-exists", "internal-error"] as const) {
    assert.equal(mayBeRepeated(code), false)
    const { code: made, retryAfter, headers } = make(code)
    assert.deepEqual([made, retryAfter, headers], [code, undefined, {}])
  }
})

test("a refused credential has its challenge, and a missing scope its name", () => {
  const metadata = 'resource_metadata="https://a.example/.well-known/oauth-protected-resource/api/v3"'
  const challenge = (code: ProblemCode, headers = {}) =>
    make(code, exchangeBy("free", headers)).headers["www-authenticate"]
  const key = 'ApiKey realm="petstore", in="header", name="api_key"'
  assert.equal(challenge("unauthorized"), `Bearer realm="petstore", ${metadata}, ${key}`)
  assert.equal(
    challenge("unauthorized", { authorization: "Bearer a" }),
    `Bearer realm="petstore", error="invalid_token", ${metadata}, ${key}`,
  )
  assert.equal(
    challenge("forbidden"),
    `Bearer realm="petstore", error="insufficient_scope", scope="read:pets", ${metadata}`,
  )
})

test("a plan that is used up reports its minute as used, instead of what admission reported", () => {
  const exchange = exchangeBy("pro")
  for (const [name, value] of [
    ["ratelimit-policy", "a"],
    ["x-a", "b"],
    ["ratelimit", "c"],
  ] as const)
    exchange.header(name, value)
  const { code, detail, retryAfter, members } = make("quota-exceeded", exchange, { seconds: 9, isDate: false })
  assert.deepEqual([code, retryAfter, members], ["quota-exceeded", 9, { "violated-policies": ["minute"] }])
  assert.match(detail, /^The plan pro allows 600 requests a minute;/)
  assert.deepEqual(exchange.headers, [
    ...["x-a", "b", "ratelimit-policy", '"minute";q=600;w=60, "day";q=9000;w=86400'],
    ...["ratelimit", '"minute";r=0;t=9, "day";r=8400;t=86400'],
  ])
})

test("a plan without limits shows those of the smallest one, and says so", () => {
  const explained = exchangeBy("enterprise")
  explained.explanation = { ...emptyExplanation }
  const { detail } = make("quota-exceeded", explained)
  const reason = "The plan enterprise has no limits; this is the response of another one. "
  assert.ok(detail.startsWith(`${reason}The plan free allows 60 requests a minute;`), detail)
  assert.deepEqual(explained.explanation.limits, [
    { policy: "minute", quota: 60, windowSeconds: 60, used: 60, remaining: 0, resetSeconds: 1 },
    { policy: "day", quota: 1000, windowSeconds: 86_400, used: 60, remaining: 940, resetSeconds: 86_400 },
  ])
  assert.match(make("quota-exceeded", exchangeBy(undefined)).detail, /^The plan free allows 60/)
  const none = exchangeBy("free")
  const unlimited = make("quota-exceeded", none, undefined, { ...usual, free: undefined })
  assert.deepEqual([unlimited.code, unlimited.retryAfter, none.headers], ["quota-exceeded", 1, []])
})

const emptyExplanation = {
  requiredScope: undefined,
  schema: undefined,
  limits: [],
  violations: [],
  faultRule: undefined,
  events: [],
  isRecorded: false,
}
