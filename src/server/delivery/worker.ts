import type { Logger } from "pino"
import type { Outcome } from "../../domain/deliveries/contract.ts"
import { allotment, type Room } from "../../domain/deliveries/rules.ts"
import { settle } from "../../domain/deliveries/steps.ts"
import type { Claim } from "../../domain/deliveries/store.ts"
import { publishAll } from "../../domain/events/steps.ts"
import { type Sealing, sealedFor } from "../../domain/sealing.ts"
import type { Store } from "../../domain/store.ts"
import type { Clock } from "../../kernel/clock.ts"
import type { Sender } from "./send.ts"
import { signatureHeaders } from "./sign.ts"
import type { Wake } from "./wake.ts"

/** Longer than any attempt takes, so that a claim outlives the attempt it was made for. */
export const leaseMs = 60_000
const pollMs = 1000

export const room: Room = { total: 256, perWebhook: 16, failing: 128, perFailingWebhook: 2 }

export type DeliveryParts = {
  store: Store
  clock: Clock
  sealing: Sealing
  sender: Sender
  log: Logger
  room?: Room
  random?: () => number
}

/** Sends what is due; several of them, in several processes, share the work without sending anything twice at once. */
export type DeliveryWorker = {
  /** Publishes what has happened and begins every attempt that is due and has room. */
  tick(): Promise<void>
  /** Ticks when woken, and every second for what comes due by itself. */
  start(wake: Wake): void
  /** Resolves when no tick and no attempt is under way. */
  idle(): Promise<void>
  /** Begins nothing more, gives attempts under way until `impatience` aborts, and gives back what those had claimed. */
  stop(impatience: AbortSignal): Promise<void>
}

export function deliveryWorker(parts: DeliveryParts): DeliveryWorker {
  const { store, clock, log, random = Math.random } = parts
  const running = new Map<number, { count: number; failing: boolean }>()
  const attempts = new Set<Promise<void>>()
  const abandon = new AbortController()
  let ticking: Promise<void> | undefined
  let again = false
  let stopped = false
  let timer: NodeJS.Timeout | undefined

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
    await store.transaction((tx) => publishAll(tx, clock.now()))
    const due = await store.deliveries.due(clock.now())
    const failing = new Map(due.map(({ webhookId, failing }) => [webhookId, failing]))
    const allotted = allotment(rotated(due), running, parts.room ?? room)
    if (allotted.size === 0 || stopped) return

    const claims = await store.transaction(async (tx) => {
      const now = clock.now()
      const claimed: Claim[] = []
      for (const [webhookId, count] of allotted)
        claimed.push(...(await tx.deliveries.claim(webhookId, count, now, now + leaseMs)))
      return claimed
    })
    for (const claim of claims) begin(claim, failing.get(claim.webhookId) === true)
  }

  function begin(claim: Claim, failing: boolean): void {
    const slot = running.get(claim.webhookId) ?? { count: 0, failing }
    running.set(claim.webhookId, { count: slot.count + 1, failing })
    const attempt = attempted(parts, claim, abandon.signal, random)
      .catch((error: unknown) => log.error({ err: error, delivery: claim.deliveryId }, "attempt could not be recorded"))
      .finally(() => {
        attempts.delete(attempt)
        const { count } = running.get(claim.webhookId) as { count: number }
        if (count === 1) running.delete(claim.webhookId)
        else running.set(claim.webhookId, { count: count - 1, failing })
        wakeUp()
      })
    attempts.add(attempt)
  }

  async function idle(): Promise<void> {
    while (ticking || attempts.size > 0) await Promise.all([ticking, ...attempts])
  }

  return {
    tick,
    start(wake) {
      wake.listen(wakeUp)
      timer = setInterval(wakeUp, pollMs)
      wakeUp()
    },
    idle,
    async stop(impatience) {
      stopped = true
      clearInterval(timer)
      if (impatience.aborted) abandon.abort()
      else impatience.addEventListener("abort", () => abandon.abort(), { once: true })
      await idle()
      await parts.sender.close()
    },
  }
}

/** One attempt from the look at its webhook to the record of its outcome. */
async function attempted(
  { store, clock, sealing, sender, log }: DeliveryParts,
  claim: Claim,
  signal: AbortSignal,
  random: () => number,
): Promise<void> {
  const webhook = await store.webhooks.read(claim.webhookId)
  if (!webhook) return
  const secrets = (await store.webhooks.secrets(webhook.id, clock.now())).flatMap((sealed) => opened(sealing, sealed))
  const at = clock.now()
  let outcome: Outcome
  try {
    outcome =
      secrets.length === 0
        ? unsigned(at)
        : await sender.post(
            {
              url: webhook.url,
              headers: signatureHeaders(secrets, { eventId: claim.eventId, body: claim.json, at }),
              body: claim.json,
            },
            signal,
          )
  } catch {
    await store.transaction((tx) => tx.deliveries.release(claim, at))
    return
  }

  log.info({
    delivery: claim.deliveryId,
    webhook: webhook.id,
    event: claim.eventId,
    kind: claim.kind,
    status: outcome.status,
    error: outcome.error,
    durationMs: outcome.durationMs,
  })
  await store.transaction((tx) => settle(tx, claim, outcome, random()))
}

function opened(sealing: Sealing, sealed: string): string[] {
  try {
    return [sealing.open(sealed, sealedFor.webhookSecrets)]
  } catch {
    return []
  }
}

/** Nothing is sent that its receiver could not verify. */
const unsigned = (at: number): Outcome => ({
  at,
  durationMs: 0,
  status: undefined,
  error: "unreadable-secret",
  answer: undefined,
  retryAfterMs: undefined,
})

/** The same webhooks, begun somewhere else each time, so that none is always last where room is short. */
function rotated<T>(items: readonly T[]): T[] {
  const start = Math.floor(Math.random() * items.length)
  return [...items.slice(start), ...items.slice(0, start)]
}
