// Decision: docs/decisions/delivery.md#fairness-in-three-lanes

import type { Due } from "../../../domain/webhooks/deliveries/store.ts"
import { type Lane, lanes } from "../../../domain/webhooks/model.ts"
import type { Capacity } from "./attempt-limits.ts"
import { countRunning, type Occupancy, type RunningAttempt } from "./occupancy.ts"

/** A webhook that may have a due delivery. */
type Waiting = Pick<Due, "webhookId" | "accountId">

/** How many more attempts may start at a webhook. */
export type Allotment = Waiting & { lane: Lane; count: number }

/**
 * Allots up to `max` attempts to the webhooks with due deliveries. An attempt that takes longer than `oldMs` counts as slow from
 * then on in any lane, and leaves its capacity to others. When capacity is short, accounts with the fewest running attempts come
 * first, and within an account the webhooks with the fewest.
 */
export function allot(
  due: Readonly<Record<Lane, readonly Waiting[]>>,
  running: Iterable<RunningAttempt>,
  now: number,
  capacity: Capacity,
  max: number,
): Allotment[] {
  const occupancy = countRunning(running, now, capacity)
  const allotted = new Map<number, Allotment>()
  let left = max
  for (const lane of lanes) {
    if (occupancy.isFull(lane)) continue
    const waiting = groupByAccount(due[lane], occupancy)
    while (left > 0 && waiting.length > 0) {
      waiting.sort((a, b) => occupancy.ofAccount(a.accountId) - occupancy.ofAccount(b.accountId))
      const before = left
      for (const { accountId, webhooks } of waiting) {
        if (left === 0) break
        const webhook = takeNext(webhooks, (webhookId) => occupancy.hasCapacity(lane, accountId, webhookId))
        if (webhook === undefined) continue
        const known = allotted.get(webhook.webhookId) ?? { ...webhook, lane, count: 0 }
        allotted.set(webhook.webhookId, { ...known, count: known.count + 1 })
        occupancy.add(lane, accountId, webhook.webhookId)
        left--
      }
      if (left === before) break
    }
  }
  return [...allotted.values()]
}

const groupByAccount = (due: readonly Waiting[], occupancy: Occupancy) =>
  [...Map.groupBy(due, ({ accountId }) => accountId)].map(([accountId, webhooks]) => ({
    accountId,
    webhooks: webhooks.toSorted((a, b) => occupancy.ofWebhook(a.webhookId) - occupancy.ofWebhook(b.webhookId)),
  }))

/** Takes the first webhook with capacity and moves it to the end of the queue; removes those without capacity. */
function takeNext(webhooks: Waiting[], hasCapacity: (webhookId: number) => boolean): Waiting | undefined {
  for (let next = webhooks.shift(); next; next = webhooks.shift())
    if (hasCapacity(next.webhookId)) {
      webhooks.push(next)
      return next
    }
  return undefined
}
