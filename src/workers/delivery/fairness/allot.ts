import type { Due } from "../../../domain/webhooks/deliveries/store.ts"
import { type Lane, lanes } from "../../../domain/webhooks/model.ts"
import { countRunning, type Occupancy, type Running } from "./occupancy.ts"
import type { Room } from "./room.ts"

/** How many more attempts may begin at a webhook. */
export type Allotted = Due & { lane: Lane; count: number }

/**
 * Decides how many more attempts may begin at each webhook something is due at, `max` in all. An attempt that takes
 * longer than `oldMs` is slow from then on, whatever its lane, and no longer in the way of others. Where room is short
 * accounts come first that have least under way, and within an account webhooks that do.
 */
export function allot(
  due: Readonly<Record<Lane, readonly Due[]>>,
  running: Iterable<Running>,
  now: number,
  room: Room,
  max: number,
): Allotted[] {
  const occupancy = countRunning(running, now, room)
  const allotted = new Map<number, Allotted>()
  let left = max
  for (const lane of lanes) {
    if (occupancy.isFull(lane)) continue
    const waiting = groupByAccount(due[lane], occupancy)
    while (left > 0 && waiting.length > 0) {
      waiting.sort((a, b) => occupancy.ofAccount(a.accountId) - occupancy.ofAccount(b.accountId))
      const before = left
      for (const { accountId, webhooks } of waiting) {
        if (left === 0) break
        const webhook = takeNext(webhooks, (webhookId) => occupancy.hasRoom(lane, accountId, webhookId))
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

const groupByAccount = (due: readonly Due[], occupancy: Occupancy) =>
  [...Map.groupBy(due, ({ accountId }) => accountId)].map(([accountId, webhooks]) => ({
    accountId,
    webhooks: webhooks.toSorted((a, b) => occupancy.ofWebhook(a.webhookId) - occupancy.ofWebhook(b.webhookId)),
  }))

/** The first webhook with room, which goes to the end of the line; those without room leave it. */
function takeNext(webhooks: Due[], hasRoom: (webhookId: number) => boolean): Due | undefined {
  for (let next = webhooks.shift(); next; next = webhooks.shift())
    if (hasRoom(next.webhookId)) {
      webhooks.push(next)
      return next
    }
  return undefined
}
