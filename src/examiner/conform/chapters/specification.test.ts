import assert from "node:assert/strict"
import { test } from "node:test"
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
