import assert from "node:assert/strict"
import { test } from "node:test"
import { json } from "../../../kernel/json/json.ts"
import type { Event } from "../../events/store.ts"
import type { Repositories } from "../../ports/store.ts"
import type { StoredWebhook } from "../model.ts"
import type { Outcome } from "./model.ts"
import { settleDelivery } from "./settle.ts"
import type { Claim } from "./store.ts"

const hook: StoredWebhook = {
  id: 4,
  accountId: 7,
  url: "https://a.example/",
  description: undefined,
  events: ["*"],
  ordered: false,
  status: "active",
  disabledReason: undefined,
  failingSince: undefined,
  lane: "quick",
  averageMs: 100,
  createdAt: 0,
}
const claim: Claim = {
  deliveryId: 3,
  webhookId: 4,
  claim: 1,
  step: 0,
  isTest: false,
  kind: "pet.created",
  eventId: "evt_1_a",
  json: json({}) as unknown as Claim["json"],
}
const failed: Outcome = {
  at: 50,
  durationMs: 100,
  status: 500,
  error: "timeout",
  answer: undefined,
  retryAfterMs: undefined,
}

async function settle(given: {
  webhook?: Partial<StoredWebhook> | "absent"
  claim?: Partial<Claim>
  outcome?: Partial<Outcome>
  isKept?: boolean
}) {
  const { webhook = {}, isKept = true } = given
  const calls: unknown[] = []
  const tx = {
    deliveries: { settle: async () => isKept },
    webhooks: {
      lock: async () => (webhook === "absent" ? undefined : { ...hook, ...webhook }),
      putHealth: async ({ failingSince }: StoredWebhook) => void calls.push(["health", failingSince]),
      put: async ({ status, disabledReason }: StoredWebhook) => void calls.push([status, disabledReason]),
    },
    events: {
      add: async (kind: string, data: Event["data"], at: number, accountId: number) =>
        void calls.push([kind, data, at, accountId]),
    },
    audit: { append: async (entries: object[], at: number) => void calls.push(...entries, at) },
  }
  const outcome = { ...failed, ...given.outcome }
  await settleDelivery(tx as unknown as Repositories, { ...claim, ...given.claim }, outcome, 0.5)
  return calls
}

const givenUp = ["delivery.failed", { id: 3, webhookId: 4, eventId: "evt_1_a", event: "pet.created" }, 50, 7]

test("an attempt changes the health of its webhook; the last one that fails is an event, if its outcome counts", async () => {
  assert.deepEqual(await settle({}), [["health", 50]])
  assert.deepEqual(await settle({ outcome: { error: undefined } }), [["health", undefined]])
  assert.deepEqual(await settle({ claim: { step: 9 } }), [givenUp, ["health", 50]])
  assert.deepEqual(await settle({ claim: { step: 9 }, isKept: false }), [["health", 50]])
  assert.deepEqual(await settle({ claim: { step: 9 }, webhook: "absent" }), [])
})

test("a webhook that is disabled is an event with its reason, and audited, once", async () => {
  const disabled = (reason: string) => [
    ["disabled", reason],
    ["webhook.disabled", { id: 4, url: hook.url, reason }, 50, 7],
    { principal: "service", action: "webhook.disabled", thing: "webhook:4", details: { reason } },
    50,
  ]
  assert.deepEqual(await settle({ outcome: { status: 410 } }), disabled("gone"))
  const testing = { webhook: { status: "testing" as const }, claim: { isTest: true } }
  assert.deepEqual(await settle(testing), disabled("test-failed"))
  assert.deepEqual(await settle({ ...testing, outcome: { error: undefined } }), [["active", undefined]])
  const off = { status: "disabled" as const, disabledReason: "gone" as const }
  assert.deepEqual(await settle({ webhook: off, outcome: { status: 410 } }), [["health", 50]])
})
