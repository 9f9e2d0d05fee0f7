import assert from "node:assert/strict"
import { test } from "node:test"
import { quickPauses } from "../../../../test/harness/quick-pauses.ts"
import { judgeWebhooks, type WebhookFaults } from "../../../../test/harness/webhook-subject.ts"
import { webhookChecks } from "./webhooks.ts"

const [made, added, removed] = ["POST /webhooks", "POST /pet", "DELETE /webhooks/7"]

test("a service without webhooks claims none, nor does one whose secrets have another form", async () => {
  for (const { name } of webhookChecks.tasks) {
    const judge = (faults: WebhookFaults) => judgeWebhooks(webhookChecks, name, faults)
    for (const status of [404, 405, 501])
      assert.deepEqual(await judge({ status }), { verdict: "unclaimed: it has no webhooks", requests: [made] })
    for (const status of [202, 400, 500])
      assert.deepEqual(await judge({ status }), {
        verdict: `missed: POST /webhooks was ${status} instead of 200 or 201`,
        requests: [made],
      })
  }
  for (const name of ["signs", "gives-an-event-one-id", "announces-a-deletion", "shows-its-secret-once"])
    for (const secret of ["abc", "abc_whsec_"])
      assert.deepEqual(await judgeWebhooks(webhookChecks, name, { secret }), {
        verdict: "unclaimed: its webhooks have no secret of Standard Webhooks",
        requests: [made],
      })
})

test("an event that is sent again has the id of its first message", async () => {
  const judge = async (...ids: string[]) => {
    const { verdict } = await judgeWebhooks(webhookChecks, "gives-an-event-one-id", { ids })
    return verdict
  }
  assert.equal(await judge("evt_1"), "passed")
  assert.equal(await judge("evt_1", "evt_1"), "passed")
  assert.equal(await judge("evt_1", "evt_2"), "missed: the number of ids of an event was 2 instead of 1")
})

test("one of the signatures of a message is of its id, its time and its body", async () => {
  const judge = async (headersOf?: WebhookFaults["headersOf"]) => {
    const { verdict, requests } = await judgeWebhooks(webhookChecks, "signs", { ...(headersOf && { headersOf }) })
    assert.deepEqual(requests, [made, added])
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
  const requests = [made, added, "DELETE /pet/…"]
  assert.deepEqual(await judge(), { verdict: "passed", requests })
  const missed = { verdict: "missed: no such message arrived within 5 seconds", requests }
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

test("the secret of a webhook is in no later response", async () => {
  const { verdict, requests } = await judgeWebhooks(webhookChecks, "shows-its-secret-once")
  assert.deepEqual({ verdict, requests }, { verdict: "passed", requests: [made, "GET /webhooks/7"] })
})

const judgeEvent = (faults: WebhookFaults) => judgeWebhooks(webhookChecks, "sends-an-event", faults)

test("a webhook has the event of a new pet", async () => {
  const requests = [made, added]
  for (const status of [200, 201]) assert.deepEqual(await judgeEvent({ status }), { verdict: "passed", requests })
  for (const timestamp of ["2026-01-01T12:00:00Z", "2026-01-01T12:00:00.123456Z"])
    assert.equal((await judgeEvent({ bodyOf: (event) => ({ ...event, timestamp }) })).verdict, "passed")
  for (const timestamp of ["2026-01-01T12:00:00+01:00", "2026-01-01", "1767268800", undefined])
    assert.deepEqual(await judgeEvent({ bodyOf: (event) => ({ ...event, timestamp }) }), {
      verdict: `missed: timestamp is ${timestamp}`,
      requests,
    })
  for (const bodyOf of [
    (event) => ({ ...event, event: "pet.deleted" }),
    (event) => ({ ...event, data: { ...event.data, id: 7 } }),
    (event) => ({ ...event, data: { ...event.data, photoUrls: [] } }),
    (event) => ({ ...event, more: true }),
  ] satisfies WebhookFaults["bodyOf"][]) {
    const { verdict, requests: sent } = await judgeEvent({ bodyOf })
    assert.match(
      verdict,
      /^missed: the event was \{"event":"pet\..*\} instead of \{"event":"pet\.created",.*"more":\{\}\}$/,
    )
    assert.deepEqual(sent, requests)
  }
})

test("a service that sends nothing has missed the event", async (t) => {
  quickPauses(t)
  assert.deepEqual(await judgeEvent({ bodyOf: () => undefined }), {
    verdict: "missed: no such message arrived within 5 seconds",
    requests: [made, added],
  })
})
