import { publishBatch } from "../../domain/events/publish.ts"
import type { Database } from "../../domain/ports.ts"
import type { Claim, Due } from "../../domain/webhooks/deliveries/store.ts"
import { type Lane, lanes } from "../../domain/webhooks/model.ts"
import { type Allotted, allotment, type Room, type Running, room } from "./allotment.ts"
import { type AttemptParts, attempt } from "./attempt.ts"

/** Longer than any attempt takes, so that a claim outlives the attempt it was made for. */
export const leaseMs = 60_000
const pollMs = 1000
/** How soon to look again for room that attempts leave by growing old. */
const shortOfRoomMs = 100
/** Webhooks looked at in each lane: more than those that can have all the room they may, and those there is room for. */
const dueMax = 1024
/** Attempts begun in one transaction. */
const beginMax = 64

export type DeliveryParts = Omit<AttemptParts, "store"> & { store: Database; room?: Room }

/** Sends what is due; several of them, in several processes, share the work without sending anything twice at once. */
export type DeliveryWorker = {
  /** Publishes what has happened and begins every attempt that is due and has room. */
  tick(): Promise<void>
  /** Ticks after every commit that made something due, and every second for what comes due by itself. */
  start(): void
  /** Resolves when no tick and no attempt is under way. */
  idle(): Promise<void>
  /** Begins nothing more, gives attempts under way until `impatience` aborts, and gives back what those had claimed. */
  stop(impatience: AbortSignal): Promise<void>
}

export function deliveryWorker(parts: DeliveryParts): DeliveryWorker {
  const { store, clock, log } = parts
  const running = new Map<Running, Promise<void>>()
  const abandon = new AbortController()
  let ticking: Promise<void> | undefined
  let again = false
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let unsubscribe = () => {}
  let soon: NodeJS.Timeout | undefined

  function wakeUp(): void {
    again = true
    ticking ??= untilQuiet().finally(() => {
      ticking = undefined
    })
  }

  async function untilQuiet(): Promise<void> {
    while (again && !stopped) {
      again = false
      try {
        await tick()
      } catch (error) {
        log.error({ err: error }, "delivery could not look for work")
        return
      }
    }
  }

  async function tick(): Promise<void> {
    while ((await store.transaction((tx) => publishBatch(tx, clock.now()))) > 0);
    for (;;) {
      const due = await dueInLanes()
      const allotted = allotment(due, running.keys(), clock.now(), parts.room ?? room, beginMax)
      if (allotted.length === 0 && lanes.some((lane) => due[lane].length > 0)) lookAgainSoon()
      if (allotted.length === 0 || stopped) return
      for (const [webhook, claims] of await claimed(allotted)) for (const claim of claims) begin(webhook, claim)
    }
  }

  async function dueInLanes(): Promise<Record<Lane, Due[]>> {
    const now = clock.now()
    const [quick, fresh, slow] = await Promise.all(lanes.map((lane) => store.deliveries.due(lane, now, dueMax)))
    return { quick: quick ?? [], new: fresh ?? [], slow: slow ?? [] }
  }

  const claimed = (allotted: readonly Allotted[]): Promise<[Allotted, Claim[]][]> =>
    store.transaction(async (tx) => {
      const now = clock.now()
      const claims: [Allotted, Claim[]][] = []
      for (const webhook of allotted)
        claims.push([webhook, await tx.deliveries.claim(webhook.webhookId, webhook.count, now, now + leaseMs)])
      return claims
    })

  function begin({ webhookId, accountId, lane }: Allotted, claim: Claim): void {
    const slot = { webhookId, accountId, lane, since: clock.now() }
    const ended = attempt(parts, claim, abandon.signal)
      .catch((error: unknown) => log.error({ err: error, delivery: claim.deliveryId }, "attempt could not be recorded"))
      .finally(() => {
        running.delete(slot)
        wakeUp()
      })
    running.set(slot, ended)
  }

  function lookAgainSoon(): void {
    if (stopped) return
    soon ??= setTimeout(() => {
      soon = undefined
      wakeUp()
    }, shortOfRoomMs)
  }

  async function idle(): Promise<void> {
    while (ticking || running.size > 0) await Promise.all([ticking, ...running.values()])
  }

  return {
    tick,
    start() {
      unsubscribe = store.onCommit(wakeUp)
      timer = setInterval(wakeUp, pollMs)
      wakeUp()
    },
    idle,
    async stop(impatience) {
      stopped = true
      unsubscribe()
      clearInterval(timer)
      clearTimeout(soon)
      if (impatience.aborted) abandon.abort()
      else impatience.addEventListener("abort", () => abandon.abort(), { once: true })
      await idle()
      await parts.sender.close()
    },
  }
}
