import assert from "node:assert/strict"
import { test } from "node:test"
import type { Store } from "../../domain/ports/store.ts"
import type { Outcome } from "../../domain/webhooks/deliveries/model.ts"
import type { Backlog } from "../../domain/webhooks/deliveries/store.ts"
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

test("what is due is counted up to 10,000, with the age of the oldest in seconds; concurrent readers share a query", async () => {
  const asked: number[][] = []
  let backlog: Promise<Backlog> = Promise.resolve({ count: 3, oldestDueAt: 5_500 })
  const store = {
    deliveries: {
      backlog(...given: number[]) {
        asked.push(given)
        return backlog
      },
    },
  } as unknown as Store
  const { metrics } = deliveryMetrics({ store, clock: { now: () => 7_000 }, underWay: () => 4 })
  const valueNamed = async (name: string) => {
    const samples = await metrics.find((metric) => metric.name === name)?.read()
    return (samples as { value: number }[] | undefined)?.[0]?.value
  }
  const read = () =>
    Promise.all(["active", "due", "oldest_due_age_seconds"].map((name) => valueNamed(`petstore_deliveries_${name}`)))
  assert.deepEqual(await read(), [4, 3, 1.5])
  assert.deepEqual(asked.splice(0), [[7_000, 10_000]])

  backlog = Promise.resolve({ count: 0, oldestDueAt: undefined })
  assert.deepEqual(await read(), [4, 0, 0])
  assert.equal(asked.splice(0).length, 1)

  backlog = Promise.reject(new Error("away"))
  assert.deepEqual(await read(), [4, undefined, undefined])
  backlog = Promise.resolve({ count: 1, oldestDueAt: 8_000 })
  assert.deepEqual(await read(), [4, 1, 0])
})
