import assert from "node:assert/strict"
import { test } from "node:test"
import { judgeCheck, verdictOf } from "../../../../test/harness/conform-check.ts"
import { quickPauses } from "../../../../test/harness/quick-pauses.ts"
import { judgeWebhooks, type WebhookFaults } from "../../../../test/harness/webhook-subject.ts"
import { specification } from "./specification.ts"

const judge = (faults: WebhookFaults) => judgeWebhooks(specification, "sends-an-event", faults)
const [made, added, removed] = ["POST /webhooks", "POST /pet", "DELETE /webhooks/7"]

test("a webhook has the event of a new pet, and is removed", async () => {
  const requests = [made, added, removed]
  for (const status of [200, 201]) assert.deepEqual(await judge({ status }), { verdict: "passed", requests })
  for (const timestamp of ["2026-01-01T12:00:00Z", "2026-01-01T12:00:00.123456Z"])
    assert.equal((await judge({ bodyOf: (event) => ({ ...event, timestamp }) })).verdict, "passed")
  for (const timestamp of ["2026-01-01T12:00:00+01:00", "2026-01-01", "1767268800", undefined])
    assert.deepEqual(await judge({ bodyOf: (event) => ({ ...event, timestamp }) }), {
      verdict: `missed: timestamp is ${timestamp}`,
      requests,
    })
  for (const bodyOf of [
    (event) => ({ ...event, event: "pet.deleted" }),
    (event) => ({ ...event, data: { ...event.data, id: 7 } }),
    (event) => ({ ...event, data: { ...event.data, photoUrls: [] } }),
    (event) => ({ ...event, more: true }),
  ] satisfies WebhookFaults["bodyOf"][]) {
    const { verdict, requests: sent } = await judge({ bodyOf })
    assert.match(
      verdict,
      /^missed: the event was \{"event":"pet\..*\} instead of \{"event":"pet\.created",.*"more":\{\}\}$/,
    )
    assert.deepEqual(sent, requests)
  }
})

test("a service that has no webhooks claims none, and one that sends nothing has missed the event", async (t) => {
  for (const status of [404, 405, 501])
    assert.deepEqual(await judge({ status }), { verdict: "unclaimed: it has no webhooks", requests: [made] })
  for (const status of [202, 400, 500])
    assert.deepEqual(await judge({ status }), {
      verdict: `missed: POST /webhooks was ${status} instead of 200 or 201`,
      requests: [made],
    })
  quickPauses(t)
  assert.deepEqual(await judge({ bodyOf: () => undefined }), {
    verdict: "missed: no such message arrived within 5 seconds",
    requests: [made, added],
  })
})
test("the id of a new pet is an integer from 1 on, also that of its category and tag", async () => {
  const judge = (id: unknown, category: unknown = 1, tag: unknown = 1) =>
    verdictOf(specification, "creates-a-pet", {
      value: { id, category: { id: category, name: "Dogs" }, tags: [{ id: tag, name: "calm" }] },
    })
  for (const id of [1, 2, Number.MAX_SAFE_INTEGER]) assert.equal(await judge(id), "passed")
  for (const id of [0, -1, 1.5, 2 ** 53, "1", null]) assert.equal(await judge(id), `missed: the id is ${id}`)
  for (const other of [
    ["1", 1],
    [1, 1.5],
  ] as const)
    assert.match(await judge(1, ...other), /^missed: the pet is \{"id":1,"category"/)
})

test("a service gives each pet an id of its own", async () => {
  const judge = (...ids: number[]) =>
    verdictOf(specification, "gives-each-pet-an-id", ...ids.map((id) => ({ value: { id } })))
  assert.equal(await judge(7, 8), "passed")
  assert.equal(await judge(7, 7), "missed: two pets have the id 7")
})

test("the limited key has sixty requests, and the next is refused with the seconds to wait", async () => {
  const judge = async (first: number, headers: Record<string, string> = { "retry-after": "7" }) => {
    const { verdict, requests } = await judgeCheck(specification, "limits-requests", (_, n) =>
      n < first ? {} : { status: 429, headers },
    )
    return [verdict, requests.length]
  }
  for (const first of [2, 61]) assert.deepEqual(await judge(first), ["passed", first])
  assert.deepEqual(await judge(62), ["missed: 61 requests were admitted", 61])
  for (const [wait, headers] of [
    ["soon", { "retry-after": "soon" }],
    ["1.5", { "retry-after": "1.5" }],
    ["null", {}],
  ] as const)
    assert.deepEqual(await judge(61, headers), [`missed: Retry-After is ${wait}`, 61])
  assert.equal(
    await verdictOf(specification, "limits-requests", { status: 401 }),
    "unclaimed: the limited key is unknown",
  )
})

test("a search by status has the pet, and no pet with another status", async () => {
  const judge = (...pets: object[]) =>
    verdictOf(specification, "finds-by-status", { value: { id: 7 } }, { value: pets })
  const [sold, found] = [
    { id: 8, status: "sold" },
    { id: 7, status: "sold" },
  ]
  assert.equal(await judge(sold, found), "passed")
  assert.equal(await judge(sold), "missed: the list does not have the pet 7")
  assert.equal(await judge(found, { id: 8, status: "pending" }), "missed: a pet has another status")
})
