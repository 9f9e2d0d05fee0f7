import type { Lane } from "../../../domain/webhooks/model.ts"
import { type Capacity, oldMs, reservedForWebhooks, reservedShare } from "./attempt-limits.ts"

/** A running attempt, or a message held back on purpose, which is no attempt yet. */
export type RunningAttempt = { webhookId: number; accountId: number; lane: Lane; since: number; isHeld: boolean }

/** Running attempts, counted by each limit. */
export type Occupancy = {
  add(lane: Lane, accountId: number, webhookId: number): void
  isFull(lane: Lane): boolean
  ofAccount(accountId: number): number
  ofWebhook(webhookId: number): number
  hasCapacity(lane: Lane, accountId: number, webhookId: number): boolean
}

/** Counts running attempts; an old one counts as slow in any lane, and a held message only towards its account and all. */
export function countRunning(running: Iterable<RunningAttempt>, now: number, capacity: Capacity): Occupancy {
  const ofLane = createCounter<Lane>()
  const ofAccount = createCounter<number>()
  const ofAccountInLane = createCounter<string>()
  const ofWebhook = createCounter<number>()
  const stalledAt = createCounter<number>()
  let all = 0

  const isFull = (lane: Lane): boolean => all >= capacity.total[lane] || ofLane.get(lane) >= capacity.lane[lane]

  function add(lane: Lane, accountId: number, webhookId: number): void {
    all++
    ofLane.increment(lane)
    ofAccount.increment(accountId)
    ofAccountInLane.increment(`${lane} ${accountId}`)
    ofWebhook.increment(webhookId)
  }

  for (const { webhookId, accountId, lane, since, isHeld } of running) {
    if (isHeld) {
      all++
      ofAccount.increment(accountId)
      continue
    }
    const isOld = now - since > oldMs
    if (isOld) stalledAt.increment(webhookId)
    add(isOld ? "slow" : lane, accountId, webhookId)
  }

  return {
    add,
    isFull,
    ofAccount: ofAccount.get,
    ofWebhook: ofWebhook.get,
    hasCapacity(lane, accountId, webhookId) {
      const reserve = (capacity: number, has: number): number =>
        has === 0 ? capacity : Math.ceil(capacity * (1 - reservedShare))
      const inLane = ofAccountInLane.get(`${lane} ${accountId}`)
      const ofAccountNow = ofAccount.get(accountId)
      const atWebhook = ofWebhook.get(webhookId)
      return (
        all < reserve(capacity.total[lane], ofAccountNow) &&
        ofLane.get(lane) < reserve(capacity.lane[lane], inLane) &&
        inLane < capacity.perAccount[lane] &&
        ofAccountNow < capacity.perAccountInAll - (atWebhook === 0 ? 0 : reservedForWebhooks) &&
        atWebhook < capacity.perWebhook[lane] &&
        stalledAt.get(webhookId) < capacity.perWebhook.slow
      )
    },
  }
}

function createCounter<K>() {
  const counts = new Map<K, number>()
  const get = (key: K): number => counts.get(key) ?? 0
  return { get, increment: (key: K): void => void counts.set(key, get(key) + 1) }
}
