import assert from "node:assert/strict"
import { test } from "node:test"
import { quickPauses } from "../../../../test/harness/quick-pauses.ts"
import { judgeWebhooks, type WebhookFaults } from "../../../../test/harness/webhook-subject.ts"
import { giveVerdict } from "../../verdict.ts"
import type { ConformChapter } from "../check.ts"
import type { Subject } from "../subject.ts"
import { limits, lists, webhookChecks } from "./feeds.ts"

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

const [made, removed] = ["POST /webhooks", "DELETE /webhooks/7"]
const added = "POST /pet"

test("a service without webhooks claims none, nor does one whose secrets have another form", async () => {
  for (const { name } of webhookChecks.tasks) {
    const judge = (faults: WebhookFaults) => judgeWebhooks(webhookChecks, name, faults)
    for (const status of [404, 405, 501])
      assert.deepEqual(await judge({ status }), { verdict: "unclaimed: it has no webhooks", requests: [made] })
    for (const secret of ["abc", "abc_whsec_"])
      assert.deepEqual(await judge({ secret }), {
        verdict: "unclaimed: its webhooks have no secret of Standard Webhooks",
        requests: [made],
      })
    for (const status of [200, 500])
      assert.deepEqual(await judge({ status }), {
        verdict: `missed: POST /webhooks was ${status} instead of 201`,
        requests: [made],
      })
  }
})

test("one of the signatures of a message is of its id, its time and its body", async () => {
  const judge = async (headersOf?: WebhookFaults["headersOf"]) => {
    const { verdict, requests } = await judgeWebhooks(webhookChecks, "signs", { ...(headersOf && { headersOf }) })
    assert.deepEqual(requests, [made, added, removed])
    return verdict.replaceAll(/v1,[\w+/=]+/g, "…")
  }
  assert.equal(await judge(), "passed")
  const both = (right: Record<string, string>) => ({ "webhook-signature": `v1,AAAA ${right["webhook-signature"]}` })
  assert.equal(await judge((right) => ({ ...right, ...both(right) })), "passed")
  for (const change of [{ "webhook-id": "evt_2" }, { "webhook-timestamp": "7" }, { "webhook-signature": "v1,AAAA" }])
    assert.equal(await judge((right) => ({ ...right, ...change })), "missed: the signature is … instead of …")
  assert.equal(await judge(() => ({})), "missed: the signature is undefined instead of …")
})

test("a deletion is announced by an event of that pet", async (t) => {
  quickPauses(t)
  const judge = (bodyOf?: WebhookFaults["bodyOf"]) =>
    judgeWebhooks(webhookChecks, "announces-a-deletion", { ...(bodyOf && { bodyOf }) })
  const all = [made, added, "DELETE /pet/…", removed]
  assert.deepEqual(await judge(), { verdict: "passed", requests: all })
  const missed = {
    verdict: "missed: no such message arrived within 5 seconds",
    requests: all.slice(0, 3),
  }
  assert.deepEqual(await judge(() => undefined), missed)
  assert.deepEqual(await judge((event) => ({ ...event, data: { ...event.data, id: 7 } })), missed)
  assert.deepEqual(await judge((event) => ({ ...event, event: "pet.updated" })), missed)
})

test("a webhook does not outlive its deletion", async () => {
  const judge = (keepsDeleted: boolean) => judgeWebhooks(webhookChecks, "ends-with-the-webhook", { keepsDeleted })
  const requests = [made, removed, "GET /webhooks/7"]
  assert.deepEqual(await judge(false), { verdict: "passed", requests })
  assert.deepEqual(await judge(true), { verdict: "missed: GET /webhooks/7 was 200 instead of 404", requests })
})

test("the secret of a webhook is in no later response, and the webhook is removed", async () => {
  const { verdict, requests } = await judgeWebhooks(webhookChecks, "shows-its-secret-once")
  assert.deepEqual({ verdict, requests }, { verdict: "passed", requests: [made, "GET /webhooks/7", removed] })
})
