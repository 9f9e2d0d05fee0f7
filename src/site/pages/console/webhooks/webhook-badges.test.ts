import assert from "node:assert/strict"
import { test } from "node:test"
import type { Webhook } from "../../../../domain/webhooks/contract.ts"
import type { ServiceInfo } from "../page.ts"
import { outcomeOf } from "./attempt-words.ts"
import { webhookBadges } from "./webhook-badges.ts"

const since = "2026-01-01T00:00:00.000Z"
const webhook: Webhook = {
  id: 1,
  url: "https://shop.example/hook",
  events: ["*"],
  ordered: false,
  status: "active",
  createdAt: since,
}
const shown = (changed: Partial<Webhook>, afterMs = 0) => {
  const service = { now: () => Date.parse(since) + afterMs } as ServiceInfo
  return webhookBadges({ service }, { ...webhook, ...changed }).text
}
const active = '<span class="badge good">active</span>'

test("a webhook is failing after five minutes without a successful delivery, unless it is disabled", () => {
  assert.equal(shown({}), active)
  assert.equal(shown({ failingSince: since }, 5 * 60_000 - 1), active)
  assert.equal(shown({ failingSince: since }, 5 * 60_000), `${active} <span class="badge bad">failing</span>`)
  const paused = '<span class="badge waiting">paused</span> <span class="badge bad">failing</span>'
  assert.equal(shown({ failingSince: since, status: "paused" }, 5 * 60_000), paused)
  const disabled = '<span class="badge bad">disabled</span>'
  assert.equal(shown({ failingSince: since, status: "disabled" }, 5 * 60_000), disabled)
})

test("the outcome of an attempt is its status, or why there is none", () => {
  assert.equal(outcomeOf({ status: 204 }), "204")
  assert.equal(outcomeOf({ status: 500, error: "status" }), "500")
  assert.equal(outcomeOf({ status: 301, error: "redirect" }), "301, a redirect")
  assert.equal(outcomeOf({ error: "timeout" }), "no response in time")
  assert.equal(outcomeOf({ error: "dns" }), "name not found")
  assert.equal(outcomeOf({}), "connection lost")
})
