import assert from "node:assert/strict"
import { test } from "node:test"
import type { Visit } from "../page.ts"
import { webhookPage } from "./webhook.ts"

/** The page of a webhook. */
async function shown(changed: object) {
  const webhook = { id: 7, url: "https://x.example", status: "active", ...changed }
  const call = {
    getWebhook: async () => ({ value: webhook, request: { method: "GET", target: "/webhooks/7" } }),
    listDeliveries: async () => ({ value: [], next: undefined }),
  }
  const visit = {
    call,
    root: "/console",
    path: "/webhooks/7",
    params: { webhookId: "7" },
    query: new URLSearchParams(),
    scopes: new Set(),
    token: "T",
    service: { now: () => Date.UTC(2026, 0, 1), publicUrl: () => "https://pets.example" },
  } as unknown as Visit
  const { text } = await webhookPage.show(visit)
  return {
    title: /<h1>(.*?)<\/h1>/.exec(text)?.[1],
    health: /<p class="(?:alarm|soft)">((?:This webhook|Deliveries have).*?)<\/p>/.exec(text)?.[1],
    actions: [...text.matchAll(/name="action" value="(\w+)"/g)].map(([, action]) => action),
  }
}

test("a webhook has the actions of its status, and says why it does not deliver", async () => {
  assert.deepEqual(await shown({}), { title: "Webhook 7", health: undefined, actions: ["pause", "test", "retry"] })
  const disabled = { status: "disabled", description: "Feed", failingSince: "2025-12-31T00:00:00Z" }
  assert.deepEqual(await shown({ ...disabled, disabledReason: "gone" }), {
    title: "Feed",
    health: "This webhook is disabled: the receiver responded with 410. Its events are queued.",
    actions: ["enable", "test", "retry"],
  })
  assert.equal((await shown(disabled)).health, "This webhook is disabled. Its events are queued.")
  const testing = await shown({ status: "testing" })
  assert.equal(testing.health, "This webhook becomes active when the pending test succeeds.")
  assert.deepEqual(testing.actions, ["test", "retry"])
  assert.match(
    (await shown({ status: "paused", failingSince: "2025-12-31T00:00:00Z" })).health ?? "",
    /^Deliveries have been failing since .*2025-12-31 00:00:00 UTC.*24 hours ago/,
  )
})

test("a retry of failed deliveries says how many were scheduled", async () => {
  const retried = async (retried: number, more = false) => {
    const retryFailedDeliveries = async () => ({ value: { retried, more } })
    const visit = { call: { retryFailedDeliveries }, params: { webhookId: "7" } } as unknown as Visit
    const done = await webhookPage.actions?.retry?.(visit, new URLSearchParams({ since: "" }))
    assert.ok(done && "notice" in done)
    return done.notice
  }
  assert.equal(await retried(0), "0 deliveries were scheduled for a retry")
  assert.equal(await retried(1), "1 delivery was scheduled for a retry")
  assert.equal(await retried(2, true), "2 deliveries were scheduled for a retry; repeat this for the others")
})
