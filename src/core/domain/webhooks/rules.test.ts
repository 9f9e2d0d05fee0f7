import assert from "node:assert/strict"
import { test } from "node:test"
import { Problem } from "../../kernel/problem.ts"
import type { WebhookPatch } from "./contract.ts"
import type { Outcome } from "./deliveries/model.ts"
import type { StoredWebhook } from "./model.ts"
import { afterAttempt, mintWebhookSecret, newWebhook, patchWebhook, showWebhook } from "./rules.ts"

const day = 24 * 3_600_000
const at = Date.UTC(2026, 0, 10)
const hook: StoredWebhook = {
  id: 1,
  accountId: 2,
  url: "https://a.example/",
  description: "a",
  events: ["*"],
  ordered: false,
  status: "active",
  disabledReason: undefined,
  failingSince: undefined,
  lane: "quick",
  averageMs: 100,
  createdAt: at,
}
const outcome = (given: Partial<Outcome> = {}): Outcome => ({
  at,
  durationMs: 100,
  status: 200,
  error: undefined,
  response: undefined,
  retryAfterMs: undefined,
  ...given,
})
const failed = (given: Partial<Outcome> = {}) => outcome({ status: 500, error: "timeout", ...given })

test("a new webhook is active, unordered and gets every kind unless it says otherwise", () => {
  const created = newWebhook({ url: hook.url }, 2, at)
  const { id: _, ...usual } = hook
  assert.deepEqual(created, { ...usual, description: undefined, lane: "new", averageMs: undefined })
  const chosen = newWebhook(
    { url: hook.url, events: ["pet.updated", "pet.created", "pet.updated"], ordered: true },
    2,
    at,
  )
  assert.deepEqual([chosen.events, chosen.ordered], [["pet.created", "pet.updated"], true])
  assert.deepEqual(newWebhook({ url: hook.url, events: ["pet.created", "*"] }, 2, at).events, ["*"])
})

test("a secret has 32 random bytes", () => {
  const secret = mintWebhookSecret((count) => new Uint8Array(count).fill(1))
  assert.equal(secret, `whsec_${Buffer.alloc(32, 1).toString("base64")}`)
})

test("a patch changes what it has, and null removes what can be absent", () => {
  const patched = (patch: WebhookPatch, from: Partial<StoredWebhook> = {}) => {
    const changed = patchWebhook({ ...hook, failingSince: 5, ...from }, patch)
    return changed instanceof Problem ? changed.code : changed
  }
  const before = { ...hook, failingSince: 5 }
  assert.deepEqual(patched({}), before)
  assert.deepEqual(patched({ url: hook.url }), before)
  const moved = { failingSince: undefined, lane: "new", averageMs: undefined }
  assert.deepEqual(patched({ url: "https://b.example/" }), { ...before, url: "https://b.example/", ...moved })
  assert.deepEqual(patched({ description: null }), { ...before, description: undefined })
  assert.deepEqual(patched({ description: "b", ordered: true }), { ...before, description: "b", ordered: true })
  assert.deepEqual(patched({ ordered: false }, { ordered: true }), before)
  assert.deepEqual(patched({ events: ["pet.deleted"] }), { ...before, events: ["pet.deleted"] })
  assert.deepEqual(patched({ events: null }, { events: ["pet.deleted"] }), before)
  assert.deepEqual(patched({ status: "paused" }), { ...before, status: "paused" })
  assert.deepEqual(patched({ status: "active" }, { status: "paused" }), before)
})

test("one that is disabled becomes active by a test, and cannot be paused", () => {
  for (const status of ["disabled", "testing"] as const) {
    const off = { ...hook, status }
    const paused = patchWebhook(off, { status: "paused" })
    assert.ok(paused instanceof Problem && paused.code === "webhook-disabled")
    assert.deepEqual(patchWebhook(off, { status: "active" }), { ...off, status: "testing" })
    assert.deepEqual(patchWebhook(off, {}), off)
  }
})

test("the average follows the newest attempts; above a second, or while it fails, a receiver is slow", () => {
  const after = (durationMs: number, from: Partial<StoredWebhook> = {}) => {
    const { averageMs, lane } = afterAttempt({ ...hook, ...from }, false, outcome({ durationMs }))
    return [averageMs, lane]
  }
  assert.deepEqual(after(500), [200, "quick"])
  assert.deepEqual(after(800, { averageMs: undefined }), [800, "quick"])
  assert.deepEqual(after(1000, { averageMs: 1000 }), [1000, "quick"])
  assert.deepEqual(after(1004, { averageMs: 1000 }), [1001, "slow"])
  assert.deepEqual(afterAttempt(hook, false, failed()).lane, "slow")
})

test("a success ends a failure, and of a test also the doubt", () => {
  const judged = (from: Partial<StoredWebhook>, isTest: boolean) => {
    const { status, disabledReason, failingSince } = afterAttempt(
      { ...hook, failingSince: 5, ...from },
      isTest,
      outcome(),
    )
    return { status, disabledReason, failingSince }
  }
  const off = { disabledReason: "gone", failingSince: undefined }
  assert.deepEqual(judged({}, false), { status: "active", disabledReason: undefined, failingSince: undefined })
  assert.deepEqual(judged({ status: "testing", disabledReason: "gone" }, false), { status: "testing", ...off })
  assert.deepEqual(judged({ status: "disabled", disabledReason: "gone" }, true), { status: "disabled", ...off })
  const enabled = { status: "active", disabledReason: undefined, failingSince: undefined }
  assert.deepEqual(judged({ status: "testing", disabledReason: "gone" }, true), enabled)
})

test("410, a failed test and five days of failures disable a webhook", () => {
  const judged = (from: Partial<StoredWebhook>, given: Partial<Outcome> = {}, isTest = false) => {
    const { status, disabledReason, failingSince } = afterAttempt({ ...hook, ...from }, isTest, failed(given))
    return [status, disabledReason, failingSince]
  }
  const none = undefined
  assert.deepEqual(judged({}), ["active", none, at])
  assert.deepEqual(judged({ failingSince: at - 1 }), ["active", none, at - 1])
  assert.deepEqual(judged({}, {}, true), ["active", none, none])
  assert.deepEqual(judged({}, { status: 410 }), ["disabled", "gone", at])
  assert.deepEqual(judged({ status: "testing" }, {}, true), ["disabled", "test-failed", none])
  assert.deepEqual(judged({ status: "testing" }), ["testing", none, at])
  const [before, since] = [at - 5 * day + 1, at - 5 * day]
  assert.deepEqual(judged({ failingSince: before }), ["active", none, before])
  assert.deepEqual(judged({ failingSince: since }), ["disabled", "failing", since])
  assert.deepEqual(judged({ failingSince: since, status: "paused" }), ["disabled", "failing", since])
  assert.deepEqual(judged({ failingSince: since }, {}, true), ["active", none, since])
  assert.deepEqual(judged({ failingSince: since, status: "testing" }), ["testing", none, since])
  const off = { status: "disabled", disabledReason: "failing" } as const
  assert.deepEqual(judged({ ...off, failingSince: since }, { status: 410 }), ["disabled", "failing", since])
})

test("a webhook is shown without what only the service needs", () => {
  const shown = {
    id: 1,
    url: hook.url,
    events: ["*"],
    ordered: false,
    status: "active",
    createdAt: "2026-01-10T00:00:00.000Z",
  }
  assert.deepEqual(showWebhook({ ...hook, description: undefined }), shown)
  assert.deepEqual(showWebhook({ ...hook, description: "", disabledReason: "gone", failingSince: 0 }), {
    ...shown,
    description: "",
    disabledReason: "gone",
    failingSince: "1970-01-01T00:00:00.000Z",
  })
})
