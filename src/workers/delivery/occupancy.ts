import type { Lane } from "../../domain/webhooks/model.ts"
import { type Room, reservedShare } from "./room.ts"

/** An attempt under way. */
export type Running = { webhookId: number; accountId: number; lane: Lane; since: number }

/** How much of the room is taken, counted in every way the room is limited. */
export type Occupancy = ReturnType<typeof countRunning>

/** Less than a second, so that whoever waits for the room of such an attempt begins within a second itself. */
const oldMs = 500

/** Counts attempts under way; one that has become old is slow, whatever its lane. */
export function countRunning(running: Iterable<Running>, now: number, room: Room) {
  const ofLane = createCounter<Lane>()
  const ofAccount = createCounter<number>()
  const ofAccountInLane = createCounter<string>()
  const ofWebhook = createCounter<number>()
  const stalledAt = createCounter<number>()
  let all = 0

  const isFull = (lane: Lane): boolean => all >= room.total[lane] || ofLane.get(lane) >= room.lane[lane]

  function add(lane: Lane, accountId: number, webhookId: number): void {
    all++
    ofLane.increment(lane)
    ofAccount.increment(accountId)
    ofAccountInLane.increment(`${lane} ${accountId}`)
    ofWebhook.increment(webhookId)
  }

  for (const { webhookId, accountId, lane, since } of running) {
    const isOld = now - since > oldMs
    if (isOld) stalledAt.increment(webhookId)
    add(isOld ? "slow" : lane, accountId, webhookId)
  }

  return {
    add,
    isFull,
    ofAccount: ofAccount.get,
    ofWebhook: ofWebhook.get,
    /** Whether one more attempt may begin at this webhook. */
    hasRoom(lane: Lane, accountId: number, webhookId: number): boolean {
      const own = ofAccountInLane.get(`${lane} ${accountId}`)
      const reserved = own === 0 ? 0 : Math.floor(room.lane[lane] * reservedShare)
      return (
        !isFull(lane) &&
        ofLane.get(lane) < room.lane[lane] - reserved &&
        own < room.perAccount[lane] &&
        ofAccount.get(accountId) < room.perAccountInAll &&
        ofWebhook.get(webhookId) < room.perWebhook[lane] &&
        stalledAt.get(webhookId) < room.perWebhook.slow
      )
    },
  }
}

function createCounter<K>() {
  const counts = new Map<K, number>()
  const get = (key: K): number => counts.get(key) ?? 0
  return { get, increment: (key: K): void => void counts.set(key, get(key) + 1) }
}
