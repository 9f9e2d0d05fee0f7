import assert from "node:assert/strict"
import { test } from "node:test"
import { runVerb } from "../../../test/harness/verb.ts"
import { Problem } from "../../kernel/problem.ts"
import type { WebhookPatch, WebhookStatus } from "./contract.ts"
import type { StoredWebhook } from "./model.ts"
import { newWebhook } from "./rules.ts"
import { updateWebhook } from "./update.ts"

/** What a change of a webhook with this status does: its status, a test, and the entry in the audit log. */
async function update(status: WebhookStatus, body: WebhookPatch) {
  const calls: unknown[] = []
  const hook: StoredWebhook = { ...newWebhook({ url: "https://a.example/" }, 7, 0), id: 4, status }
  const tx = {
    webhooks: {
      lock: async (id: number, accountId: number) => (id === 4 && accountId === 7 ? hook : undefined),
      put: async (changed: StoredWebhook) => void calls.push(changed.status),
    },
    events: {
      add: async (kind: string) => calls.push(kind),
      publish: async () => 0,
      after: async () => [{ publicId: "evt_1_a" }],
    },
    deliveries: { addTest: async () => 9 },
    audit: { append: async (entries: { action: string; details: object }[]) => void calls.push(entries[0]?.details) },
  }
  const store = { ...tx, transaction: (work: (inside: object) => Promise<unknown>) => work(tx) }
  const parts = { store, clock: { now: () => 5 }, endpoint: { audited: ["webhook.changed"] as const } }
  const outcome = await runVerb(updateWebhook, parts as never, { params: { webhookId: 4 }, body })
  return outcome instanceof Problem ? outcome.code : calls
}

test("a change is stored and audited; one that enables a disabled webhook starts with a test", async () => {
  assert.deepEqual(await update("active", { status: "paused" }), ["paused", { status: "paused" }])
  assert.deepEqual(await update("active", { ordered: true }), ["active", { status: "active" }])
  assert.deepEqual(await update("disabled", { status: "active" }), ["testing", "webhook.test", { status: "testing" }])
  assert.deepEqual(await update("testing", { status: "active" }), ["testing", { status: "testing" }])
  assert.equal(await update("disabled", { status: "paused" }), "webhook-disabled")
})
