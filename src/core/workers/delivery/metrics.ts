import type { Store } from "../../domain/ports/store.ts"
import type { Outcome } from "../../domain/webhooks/deliveries/model.ts"
import type { Backlog } from "../../domain/webhooks/deliveries/store.ts"
import type { Clock } from "../../kernel/clock.ts"
import { Durations, gauge, type Metric } from "../../kernel/measure.ts"

/** The maximum that is counted of due deliveries. */
const countedMax = 10_000

/** Numbers of attempts. */
type Attempts = { underWay(): number; settling(): number }

export function deliveryMetrics(store: Store, clock: Clock, { underWay, settling }: Attempts) {
  const outcomes = new Map<string, Durations>()
  let reading: Promise<Backlog | undefined> | undefined

  /** Concurrent callers share one query; undefined when storage does not respond. */
  function backlog(): Promise<Backlog | undefined> {
    reading ??= Promise.try(() => store.deliveries.backlog(clock.now(), countedMax))
      .catch(() => undefined)
      .finally(() => {
        reading = undefined
      })
    return reading
  }

  function count({ error, durationMs }: Outcome): void {
    const outcome = error ?? "delivered"
    const durations = outcomes.get(outcome) ?? new Durations()
    durations.add(durationMs / 1000)
    outcomes.set(outcome, durations)
  }

  const metrics: readonly Metric[] = [
    {
      name: "petstore_delivery_attempt_duration_seconds",
      help: "Time an attempt at a delivery took, by outcome: delivered, or the error",
      type: "histogram",
      labels: ["outcome"],
      read: () => [...outcomes].map(([outcome, distribution]) => ({ labels: { outcome }, distribution })),
    },
    gauge("petstore_deliveries_active", "Running attempts", underWay),
    gauge("petstore_settlements_waiting", "Ended attempts whose outcome is not stored yet", settling),
    gauge(
      "petstore_deliveries_due",
      `Deliveries that are due and not running; counted up to ${countedMax}`,
      async () => (await backlog())?.count,
    ),
    gauge("petstore_deliveries_oldest_due_age_seconds", "Age of the oldest due delivery", async () => {
      const known = await backlog()
      return known && Math.max(0, clock.now() - (known.oldestDueAt ?? Number.POSITIVE_INFINITY)) / 1000
    }),
  ]
  return { count, metrics }
}
