import assert from "node:assert/strict"
import { test } from "node:test"
import { judgeCheck, verdictOf } from "../../../../test/harness/conform-check.ts"
import { limits } from "./limits.ts"

test("a policy and what is left have their forms", async () => {
  const [policy, left] = ['"minute";q=60;w=60', '"minute";r=59;t=1']
  const said = (headers: Record<string, string>, status = 200) =>
    verdictOf(limits, "says-what-is-left", { status, headers })
  assert.equal(await said({ "ratelimit-policy": policy, ratelimit: left }), "passed")
  for (const [headers, verdict] of [
    [{ "ratelimit-policy": "many", ratelimit: left }, "missed: many"],
    [{ "ratelimit-policy": policy, ratelimit: "few" }, "missed: RateLimit is few"],
    [{ "ratelimit-policy": policy }, "missed: RateLimit is null"],
    [{ ratelimit: left }, "unclaimed: it has no RateLimit-Policy"],
  ] as const)
    assert.equal(await said(headers), verdict)
  assert.equal(
    await said({ "ratelimit-policy": policy, ratelimit: left }, 401),
    "unclaimed: the limited key is unknown",
  )
})

test("refusals are counted where three requests are left", async () => {
  const left = async (first: number, last = first - 1) => {
    const { verdict, requests } = await judgeCheck(limits, "counts-no-refusal", (_, n) => ({
      headers: { ratelimit: `r=${n === 1 ? first : last}` },
    }))
    return [verdict, requests.length]
  }
  assert.deepEqual(await left(3), ["passed", 7])
  assert.deepEqual(await left(3, 3), ["missed: the number of requests left was 3 instead of 2", 7])
  assert.deepEqual(await left(2), ["unclaimed: the limited key has no request left", 1])
  assert.equal(await verdictOf(limits, "counts-no-refusal", {}), "unclaimed: it has no RateLimit")
})

test("the limited key has sixty requests, and the next is refused with the seconds to wait", async () => {
  const judge = async (first: number, headers: Record<string, string> = { "retry-after": "7" }) => {
    const { verdict, requests } = await judgeCheck(limits, "limits-requests", (_, n) =>
      n === 1 ? { status: 401 } : n <= first ? {} : { status: 429, headers },
    )
    return [verdict, requests.length - 1]
  }
  for (const first of [2, 61]) assert.deepEqual(await judge(first), ["passed", first])
  assert.deepEqual(await judge(62), ["missed: 61 requests were admitted", 61])
  for (const [wait, headers] of [
    ["soon", { "retry-after": "soon" }],
    ["1.5", { "retry-after": "1.5" }],
    ["null", {}],
  ] as const)
    assert.deepEqual(await judge(61, headers), [`missed: Retry-After is ${wait}`, 61])
  for (const [status, why] of [
    [401, "the limited key is unknown"],
    [200, "it knows no keys"],
  ] as const)
    assert.equal(await verdictOf(limits, "limits-requests", { status }), `unclaimed: ${why}`)
})
