import assert from "node:assert/strict"
import { test } from "node:test"
import { giveVerdict } from "../../verdict.ts"
import type { ConformChapter } from "../check.ts"
import type { Subject } from "../subject.ts"
import { limits, lists } from "./feeds.ts"

type Response = { headers?: Record<string, string>; value?: unknown }

/** The outcome of a check of a service that responds like this to the n-th request, and how many requests there were. */
async function examine({ tasks }: ConformChapter, name: string, respond: (method: string, n: number) => Response) {
  let count = 0
  const subject: Subject = {
    url: "http://a",
    limitedKey: "limited",
    sent: () => [],
    async send(method, path) {
      const { headers = {}, value = [] } = respond(method, ++count)
      const text = JSON.stringify(value)
      return { status: 200, headers: new Headers(headers), text, request: `${method} ${path}` }
    },
  }
  const { outcome, observed } = await giveVerdict(
    async () => tasks.find((task) => task.name === name)?.examine(subject),
    () => [],
  )
  return { outcome, observed, count }
}

test("a list of which the ten-thousandth page has a next one has no end, a shorter one is read", async () => {
  const listOf = (pages: number) =>
    examine(lists, "has-each-once", (method, n) => {
      if (method === "POST") return { value: { id: n } }
      return { value: [{ id: n }], headers: n < 4 + pages ? { link: '</next>; rel="next"' } : {} }
    })
  assert.deepEqual(await listOf(10_000), { outcome: "missed", observed: "the list has no end", count: 10_004 })
  assert.deepEqual(await listOf(9_999), { outcome: "missed", observed: "a pet is missing", count: 10_009 })
})

test("a policy and what is left have their forms", async () => {
  const [policy, left] = ['"minute";q=60;w=60', '"minute";r=59;t=1']
  const said = (headers: Record<string, string>) => examine(limits, "says-what-is-left", () => ({ headers }))
  assert.deepEqual(await said({ "ratelimit-policy": policy, ratelimit: left }), {
    outcome: "passed",
    observed: undefined,
    count: 1,
  })
  for (const [headers, observed] of [
    [{ "ratelimit-policy": "many", ratelimit: left }, "many"],
    [{ "ratelimit-policy": policy, ratelimit: "few" }, "RateLimit is few"],
    [{ "ratelimit-policy": policy }, "RateLimit is null"],
  ] as const)
    assert.deepEqual(await said(headers), { outcome: "missed", observed, count: 1 })
})

test("refusals are counted where three requests are left", async () => {
  const left = (first: number, last = first - 1) =>
    examine(limits, "counts-no-refusal", (_method, n) => ({ headers: { ratelimit: `r=${n === 1 ? first : last}` } }))
  const outcomes = [await left(3), await left(3, 3), await left(2)].map(({ outcome, count }) => [outcome, count])
  assert.deepEqual(outcomes, [
    ["passed", 7],
    ["missed", 7],
    ["unclaimed", 1],
  ])
})
