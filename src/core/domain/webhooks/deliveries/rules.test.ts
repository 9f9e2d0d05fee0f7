import assert from "node:assert/strict"
import { test } from "node:test"
import { newWebhook } from "../rules.ts"
import type { Outcome } from "./model.ts"
import { checkEnabled, isGivenUp, progressAfter, retryAfterMsOf, waitsMs } from "./rules.ts"

const [second, hour] = [1_000, 3_600_000]
const failed: Outcome = {
  at: 50,
  durationMs: 7,
  status: 500,
  error: "timeout",
  response: undefined,
  retryAfterMs: undefined,
}
const progress = (step: number, outcome: Partial<Outcome> = {}, random = 0.5) =>
  progressAfter({ step, isTest: false }, { ...failed, ...outcome }, random)

test("a delivery is attempted ten times in three days and a little more, later each time, and then failed", () => {
  const waits = waitsMs.map((_, step) => {
    const { state, step: next, dueAt = 0 } = progress(step)
    assert.deepEqual([state, next], ["pending", step + 1])
    return (dueAt - 57) / second
  })
  assert.deepEqual(waits, [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400])
  assert.deepEqual(progress(9), { state: "failed", step: 10, dueAt: undefined })
})

test("a wait varies by a tenth", () => {
  const wait = (random: number) => (progress(0, {}, random).dueAt ?? 0) - 57
  assert.deepEqual([0, 0.25, 0.5, 0.75, 1].map(wait), [4_500, 4_750, 5_000, 5_250, 5_500])
})

test("a receiver may ask for a longer wait of at most a day, and not for a shorter one", () => {
  const wait = (retryAfterMs: number) => (progress(0, { retryAfterMs }).dueAt ?? 0) - 57
  assert.deepEqual([0, 6 * second, 24 * hour, 25 * hour].map(wait), [5_000, 6_000, 24 * hour, 24 * hour])
})

test("a delivery ends with success, with 410, and after the only attempt of a test", () => {
  assert.deepEqual(progress(0, { status: 200, error: undefined }), { state: "delivered", step: 1, dueAt: undefined })
  assert.deepEqual(progress(3, { status: 410 }), { state: "failed", step: 4, dueAt: undefined })
  assert.deepEqual(progressAfter({ step: 0, isTest: true }, failed, 0.5), {
    state: "failed",
    step: 1,
    dueAt: undefined,
  })
})

test("only the failure of the last attempt is an event, except that of such an event", () => {
  const isEvent = (state: "failed" | "pending", step: number, kind = "pet.created") =>
    isGivenUp({ kind }, { state, step, dueAt: undefined })
  assert.equal(isEvent("failed", 10), true)
  assert.equal(isEvent("failed", 9), false)
  assert.equal(isEvent("pending", 10), false)
  assert.equal(isEvent("failed", 10, "delivery.failed"), false)
})

test("Retry-After is read in seconds and as a date, which may have passed", () => {
  const at = Date.UTC(2026, 0, 1)
  const read = (header: string | undefined) => retryAfterMsOf(header, at)
  assert.deepEqual([undefined, "", "soon", "-1", "1.5", "2026-01-01", "1234567890"].map(read), Array(7).fill(undefined))
  assert.deepEqual(["0", "120", "999999999"].map(read), [0, 120_000, 999_999_999_000])
  assert.equal(read("Thu, 01 Jan 2026 00:01:00 GMT"), 60_000)
  assert.equal(read("Wed, 31 Dec 2025 00:00:00 GMT"), 0)
})

test("deliveries of a webhook that is sent nothing are not retried", () => {
  const webhook = newWebhook({ url: "https://a.example/" }, 1, 0)
  for (const [status, isRefused] of [
    ["active", false],
    ["paused", false],
    ["disabled", true],
    ["testing", true],
  ] as const)
    assert.equal(checkEnabled({ ...webhook, id: 1, status }) !== true, isRefused, status)
})
