import assert from "node:assert/strict"
import { test } from "node:test"
import type { Store } from "../../domain/ports/store.ts"
import type { Outcome } from "../../domain/webhooks/deliveries/model.ts"
import { deliveryMetrics } from "./metrics.ts"

const outcome = (durationMs: number, error?: Outcome["error"]): Outcome => ({
  at: 0,
  durationMs,
  status: 200,
  error,
  answer: undefined,
  retryAfterMs: undefined,
})

test("durations of attempts are counted in seconds, by outcome", async () => {
  const { count, metrics } = deliveryMetrics({ store: {} as Store, clock: { now: () => 0 }, underWay: () => 0 })
  for (const each of [outcome(1_500), outcome(500), outcome(3_000, "timeout")]) count(each)
  const durations = metrics.find(({ name }) => name === "petstore_delivery_attempt_duration_seconds")
  const samples = (await durations?.read()) as readonly { labels: object; durations: { sumSeconds: number } }[]
  assert.deepEqual(
    samples.map(({ labels, durations: { sumSeconds } }) => ({ ...labels, sumSeconds })),
    [
      { outcome: "delivered", sumSeconds: 2 },
      { outcome: "timeout", sumSeconds: 3 },
    ],
  )
})
