import { publishBatch } from "../../domain/events/publish.ts"
import type { Change, Database } from "../../domain/ports.ts"
import type { Claim, Due } from "../../domain/webhooks/deliveries/store.ts"
import { type Lane, lanes } from "../../domain/webhooks/model.ts"
import { type Awaitable, andThen } from "../../kernel/awaitable.ts"
import type { Measured } from "../../kernel/measure.ts"
import { type OnDemand, onDemand } from "../../kernel/on-demand.ts"
import { type Allotted, allot } from "./allot.ts"
import { type AttemptParts, attempt } from "./attempt.ts"
import { deliveryMetrics } from "./metrics.ts"
import type { Running } from "./occupancy.ts"
import { room } from "./room.ts"

/** Longer than any attempt takes, so that a claim outlives the attempt it was made for. */
const leaseMs = 60_000
const pollMs = 1000
/** How soon to look again for the room that attempts leave when they grow old. */
const shortOfRoomMs = 100
/** Webhooks looked at in each lane: more than those that can have all the room they may, and those there is room for. */
const dueMax = 1024
/** Attempts begun in one transaction. */
const beginMax = 64

type DeliveryParts = AttemptParts & { store: Database }

/** Sends what is due; several of them, in several processes, share the work without sending anything twice at once. */
export type DeliveryWorker = Measured & {
  /** Publishes what has happened and begins every attempt that is due and has room. */
  tick(): Promise<void>
  /**
   * Ticks after every commit that made something due, and every second for what comes due by itself. While no webhook wants
   * any event, what happens is published every second, not after every commit: whoever reads the feed publishes first.
   */
  start(): void
  /** Ends what is under way, gives back what it had claimed, and begins nothing more until it is told to go on. */
  pause(): Promise<() => void>
  /** Resolves when no tick and no attempt is under way, and none can follow from what was committed before. */
  idle(): Promise<void>
  /** Begins nothing more, gives attempts under way until `impatience` aborts, and gives back what those had claimed. */
  stop(impatience: AbortSignal): Promise<void>
}

export function createDeliveryWorker(parts: DeliveryParts): DeliveryWorker {
  const { store, clock, log } = parts
  const running = new Map<Running, Promise<void>>()
  /** Questions whether what was committed concerns anybody, where storage takes time to say. */
  const asking = new Set<Promise<unknown>>()
  const measured = deliveryMetrics({ store, clock, underWay: () => running.size })
  const attempting = { ...parts, count: measured.count }
  let abandon = new AbortController()
  const ticking = onDemand(async () => {
    if (!isStopped && !isPaused)
      await tick().catch((error: unknown) => log.error({ err: error }, "delivery could not look for work"))
  })
  let isStopped = false
  let isPaused = false
  let stopListening = () => {}
  let timer: NodeJS.Timeout | undefined
  let soon: NodeJS.Timeout | undefined

  async function tick(): Promise<void> {
    while ((await store.transaction((tx) => publishBatch(tx, clock.now()))) > 0);
    for (;;) {
      const due = await readDue(store, clock.now())
      const allotted = allot(due, running.keys(), clock.now(), room, beginMax)
      if (allotted.length === 0 && lanes.some((lane) => due[lane].length > 0)) tickSoon()
      if (allotted.length === 0 || isStopped || isPaused) return
      for (const [webhook, claims] of await claimAll(store, allotted, clock.now()))
        for (const claim of claims) begin(webhook, claim)
    }
  }

  function begin({ webhookId, accountId, lane }: Allotted, claim: Claim): void {
    const slot = { webhookId, accountId, lane, since: clock.now() }
    const ended = attempt(attempting, claim, abandon.signal)
      .catch((error: unknown) => log.error({ err: error, delivery: claim.deliveryId }, "attempt could not be recorded"))
      .finally(() => {
        running.delete(slot)
        ticking.ask()
      })
    running.set(slot, ended)
  }

  function wake(changes: ReadonlySet<Change>): void {
    // It asks when it goes on.
    if (isPaused) return
    if (changes.has("delivery-due")) {
      ticking.ask()
      return
    }
    const asked = andThen(ticking, anyListens(store), askIf)
    if (!(asked instanceof Promise)) return
    asking.add(asked)
    void asked.then(() => asking.delete(asked))
  }

  function tickSoon(): void {
    if (isStopped) return
    soon ??= setTimeout(() => {
      soon = undefined
      ticking.ask()
    }, shortOfRoomMs)
  }

  async function idle(): Promise<void> {
    while (asking.size > 0 || ticking.underWay() || running.size > 0)
      await Promise.all([...asking, ticking.underWay(), ...running.values()])
  }

  return {
    metrics: measured.metrics,
    tick,
    start() {
      stopListening = store.onCommit(wake)
      timer = setInterval(ticking.ask, pollMs)
      ticking.ask()
    },
    async pause() {
      isPaused = true
      abandon.abort()
      await idle()
      return () => {
        abandon = new AbortController()
        isPaused = false
        ticking.ask()
      }
    },
    idle,
    async stop(impatience) {
      isStopped = true
      stopListening()
      clearInterval(timer)
      clearTimeout(soon)
      if (impatience.aborted) abandon.abort()
      else impatience.addEventListener("abort", () => abandon.abort(), { once: true })
      await idle()
      await parts.sender.close()
    },
  }
}

/** Where storage cannot say, the tick finds out what is wrong and logs it. */
function anyListens(store: Database): Awaitable<boolean> {
  try {
    const answer = store.webhooks.anyListens()
    return answer instanceof Promise ? answer.catch(() => true) : answer
  } catch {
    return true
  }
}

const askIf = (ticking: OnDemand, isWanted: boolean) => isWanted && ticking.ask()

async function readDue(store: Database, now: number): Promise<Record<Lane, Due[]>> {
  const [quick = [], fresh = [], slow = []] = await Promise.all(
    lanes.map((lane) => store.deliveries.due(lane, now, dueMax)),
  )
  return { quick, new: fresh, slow }
}

const claimAll = (store: Database, allotted: readonly Allotted[], now: number): Promise<[Allotted, Claim[]][]> =>
  store.transaction(async (tx) => {
    const claims: [Allotted, Claim[]][] = []
    // In one order in every process, so that two never wait for each other.
    for (const webhook of allotted.toSorted((a, b) => a.webhookId - b.webhookId))
      claims.push([webhook, await tx.deliveries.claim(webhook.webhookId, webhook.count, now, now + leaseMs)])
    return claims
  })
