import type { Due } from "../../domain/webhooks/deliveries/store.ts"
import { type Lane, lanes } from "../../domain/webhooks/model.ts"
import { slowMs } from "../../domain/webhooks/rules.ts"

/** How many attempts may be under way at once. */
export type Room = {
  /** In all, by the lane they begin in: the lanes after the first leave the rest to those before them. */
  total: Readonly<Record<Lane, number>>
  /** Of a lane: those `new` that began less than a second ago, those `slow` or in any lane for longer than that. */
  lane: Readonly<Record<Lane, number>>
  /** Of a lane at one account. */
  perAccount: Readonly<Record<Lane, number>>
  /** At one webhook of a lane. */
  perWebhook: Readonly<Record<Lane, number>>
  /** At one account in all, those included that outlived their webhook. */
  perAccountInAll: number
}

export const room: Room = {
  total: { quick: 768, new: 640, slow: 512 },
  lane: { quick: 384, new: 256, slow: 128 },
  perAccount: { quick: 96, new: 100, slow: 16 },
  perWebhook: { quick: 16, new: 1, slow: 2 },
  perAccountInAll: 128,
}

/** The last part of a lane's room is for accounts that have nothing under way in it. */
const reservedShare = 1 / 4

/** An attempt under way. */
export type Running = { webhookId: number; accountId: number; lane: Lane; since: number }

/** How many more attempts may begin at a webhook. */
export type Allotted = Due & { lane: Lane; count: number }

/**
 * How many more attempts may begin at each webhook something is due at, `max` in all. An attempt that takes longer than
 * a second is slow from then on, whatever its lane, and no longer in the way of others. Where room is short accounts come
 * first that have least under way, and within an account webhooks that do.
 */
export function allotment(
  due: Readonly<Record<Lane, readonly Due[]>>,
  running: Iterable<Running>,
  now: number,
  room: Room,
  max: number,
): Allotted[] {
  const busy = tally(running, now)
  const given = new Map<number, Allotted>()
  let left = max
  for (const lane of lanes) {
    if (isFull(busy, room, lane)) continue
    const waiting = [...Map.groupBy(due[lane], ({ accountId }) => accountId)].map(([accountId, webhooks]) => ({
      accountId,
      webhooks: webhooks.toSorted((a, b) => busy.webhook.of(a.webhookId) - busy.webhook.of(b.webhookId)),
    }))
    while (left > 0 && waiting.length > 0) {
      waiting.sort((a, b) => busy.account.of(a.accountId) - busy.account.of(b.accountId))
      const before = left
      for (const { accountId, webhooks } of waiting) {
        if (left === 0) break
        const webhook = nextOf(webhooks, (webhookId) => hasRoom(busy, room, lane, accountId, webhookId))
        if (webhook === undefined) continue
        const known = given.get(webhook.webhookId) ?? { ...webhook, lane, count: 0 }
        given.set(webhook.webhookId, { ...known, count: known.count + 1 })
        busy.begin(lane, accountId, webhook.webhookId)
        left--
      }
      if (left === before) break
    }
  }
  return [...given.values()]
}

/** The first webhook with room, which goes to the end of the line; those without room leave it. */
function nextOf(webhooks: Due[], has: (webhookId: number) => boolean): Due | undefined {
  for (let next = webhooks.shift(); next; next = webhooks.shift())
    if (has(next.webhookId)) {
      webhooks.push(next)
      return next
    }
  return undefined
}

const isFull = (busy: ReturnType<typeof tally>, room: Room, lane: Lane): boolean =>
  busy.all() >= room.total[lane] || busy.lane.of(lane) >= room.lane[lane]

function hasRoom(busy: ReturnType<typeof tally>, room: Room, lane: Lane, accountId: number, webhookId: number) {
  const ofAccount = busy.laneAndAccount.of(`${lane} ${accountId}`)
  const reserved = ofAccount === 0 ? 0 : Math.floor(room.lane[lane] * reservedShare)
  const isStalling = busy.stalling.of(webhookId) >= room.perWebhook.slow
  return (
    !isFull(busy, room, lane) &&
    busy.lane.of(lane) < room.lane[lane] - reserved &&
    ofAccount < room.perAccount[lane] &&
    busy.account.of(accountId) < room.perAccountInAll &&
    busy.webhook.of(webhookId) < room.perWebhook[lane] &&
    !isStalling
  )
}

function tally(running: Iterable<Running>, now: number) {
  const lane = counts<Lane>()
  const account = counts<number>()
  const laneAndAccount = counts<string>()
  const webhook = counts<number>()
  const stalling = counts<number>()
  let all = 0
  const begin = (of: Lane, accountId: number, webhookId: number) => {
    all++
    lane.add(of)
    account.add(accountId)
    laneAndAccount.add(`${of} ${accountId}`)
    webhook.add(webhookId)
  }
  for (const { webhookId, accountId, lane, since } of running) {
    const isOld = now - since > slowMs
    if (isOld) stalling.add(webhookId)
    begin(isOld ? "slow" : lane, accountId, webhookId)
  }
  return { lane, account, laneAndAccount, webhook, stalling, begin, all: () => all }
}

function counts<K>() {
  const map = new Map<K, number>()
  return {
    of: (key: K) => map.get(key) ?? 0,
    add: (key: K) => void map.set(key, (map.get(key) ?? 0) + 1),
  }
}
