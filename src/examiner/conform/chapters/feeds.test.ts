import assert from "node:assert/strict"
import { test } from "node:test"
import { type CheckResponse, judgeCheck, verdictOf } from "../../../../test/harness/conform-check.ts"
import { quickPauses } from "../../../../test/harness/quick-pauses.ts"
import { judgeWebhooks, type WebhookFaults } from "../../../../test/harness/webhook-subject.ts"
import { limits, lists, webhookChecks } from "./feeds.ts"

const list = "/pet/findByStatus?status=sold&limit=3"

test("a list of which the ten-thousandth page has a next one has no end, a shorter one is read (slow)", async () => {
  const listOf = async (pages: number) => {
    const { verdict, requests } = await judgeCheck(lists, "has-each-once", ({ request }, n) => {
      if (request === "POST /pet") return { value: { id: n } }
      return { value: [{ id: n }], headers: n < 4 + pages ? { link: '</next>; rel="next"' } : {} }
    })
    return [verdict, requests.length]
  }
  assert.deepEqual(await listOf(10_000), ["missed: the list has no end", 10_004])
  assert.deepEqual(await listOf(9_999), ["missed: a pet is missing", 10_009])
})

/** Pages of pets with these ids, of which all but the last lead to the next one. */
const pagesOf = (...pages: number[][]): CheckResponse[] =>
  pages.map((ids, n) => ({
    value: ids.map((id) => ({ id })),
    headers: n < pages.length - 1 ? { link: '</next>; rel="next"' } : {},
  }))
const addedOf = (...ids: number[]): CheckResponse[] => ids.map((id) => ({ value: { id } }))

test("a list may have all pets on a page, or has each once on pages of its limit, and later as well", async () => {
  const judge = (...responses: CheckResponse[]) =>
    verdictOf(lists, "has-each-once", ...addedOf(1, 2, 3, 4), ...responses)
  const later = (...pages: number[][]) =>
    judge(...pagesOf([1, 2, 3], [4]), ...addedOf(5, 6, 7, 8, 9), ...pagesOf(...pages))
  assert.equal(await later([1, 2, 3], [4, 5]), "passed")
  assert.equal(await judge(...pagesOf([1, 2, 3, 4])), "unclaimed: its lists have no limit")
  assert.equal(await judge({ status: 500 }), `missed: GET ${list} was 500 instead of 200`)
  assert.equal(await judge(...pagesOf([1, 2, 3], [3, 4])), "missed: the number of pets was 5 instead of 4")
  for (const last of [4, 5]) assert.equal(await later([1, 2, 3], [last]), "missed: a pet is missing")
})

test("the second page has the same pets after a change, and at least one of them", async () => {
  const judge = async (...second: number[]) => {
    const before = pagesOf([1, 2, 3], [4, 7, 8], [9])
    const responses = [...addedOf(1, 2, 3, 4), ...before, ...before.slice(0, 1), ...addedOf(5), {}, ...pagesOf(second)]
    const { verdict, requests } = await judgeCheck(lists, "goes-on-after-a-change", (_, n) => responses[n - 1] ?? {})
    assert.deepEqual(requests.slice(7), [`GET ${list}`, "POST /pet", "DELETE /pet/1", "GET http://a/next"])
    return verdict
  }
  for (const right of [[4, 7, 8], [4, 7, 5], [4]]) assert.equal(await judge(...right), "passed")
  for (const empty of [[], [5]]) assert.equal(await judge(...empty), "missed: the second page is empty")
  assert.equal(await judge(7, 8, 9), "missed: the second page was [7,8,9] instead of [4,7,8]")
  assert.equal(await judge(4, 8), "missed: the second page was [4,8] instead of [4,7]")
})

test("other limits and an unknown cursor are refused by a service whose lists have a limit", async () => {
  for (const [name, queries] of [
    ["refuses-other-limits", ["0", "-1", "many"].map((limit) => `/pet/findByStatus?status=sold&limit=${limit}`)],
    ["refuses-an-unknown-cursor", [`${list}&cursor=unknown`]],
  ] as const)
    for (const wrong of queries) {
      const judge = (status: number) =>
        judgeCheck(lists, name, ({ request }) =>
          request === "POST /pet"
            ? {}
            : request === `GET ${list}`
              ? { value: [] }
              : { status: request === `GET ${wrong}` ? status : 400 },
        )
      for (const status of [400, 499]) assert.equal((await judge(status)).verdict, "passed")
      for (const status of [200, 399, 500])
        assert.equal((await judge(status)).verdict, `missed: GET ${wrong} was ${status} instead of 4xx`)
      const none = await judgeCheck(lists, name, ({ request }) => ({
        value: request === "POST /pet" ? {} : [1, 2, 3, 4],
      }))
      assert.equal(none.verdict, "unclaimed: its lists have no limit")
    }
})

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
