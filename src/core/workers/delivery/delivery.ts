import { publishBatch } from "../../domain/events/publish.ts"
import { DamagedRecord, type Database } from "../../domain/ports/store.ts"
import type { Claim, Due } from "../../domain/webhooks/deliveries/store.ts"
import { type Lane, lanes } from "../../domain/webhooks/model.ts"
import type { Span } from "../../kernel/network/trace.ts"
import { type Allotment, allot } from "./fairness/allot.ts"
import { capacity } from "./fairness/attempt-limits.ts"
import type { RunningAttempt } from "./fairness/occupancy.ts"
import { attempt, type DeliveryDeps, type Hold } from "./sending/attempt.ts"
import { createSettlements } from "./settlements.ts"

/** Longer than any attempt, so that a claim outlives its attempt. */
const leaseMs = 60_000
/** Webhooks read in each lane: more than there is capacity for. */
const dueAtOnce = 1024
/** Attempts started in one transaction. */
const startedAtOnce = 64

/** Delivers events to webhooks: publish, allot, claim, attempt, settle. Calls `capacityLeft` when an attempt has ended or is held back. */
export function deliveryOf(deps: DeliveryDeps, capacityLeft: () => void) {
  const { store, clock, log, tracer, random = Math.random } = deps
  const running = new Map<RunningAttempt, Promise<void>>()
  const settlements = createSettlements(store)
  /** None while the clock is frozen, so that two runs have the same times. */
  const jitter = () => (clock.isFrozen?.() ? 0.5 : random())

  /** Publishes committed events and starts every attempt that is due. Returns whether more are due than there is capacity for. */
  async function startDue(mayStart: () => boolean, ending: AbortSignal): Promise<boolean> {
    while ((await store.transaction((tx) => publishBatch(tx, clock.now()))) > 0);
    /** Webhooks without a claim, because another transaction changes or has served them. */
    const passed = new Set<number>()
    for (;;) {
      const due = await readDue(store, clock.now(), passed)
      const allotted = allot(due, running.keys(), clock.now(), capacity, startedAtOnce)
      if (allotted.length === 0) return lanes.some((lane) => due[lane].length > 0)
      if (!mayStart()) return false
      for (const [webhook, claims] of await claimAll(store, allotted, clock.now())) {
        if (claims.length === 0) passed.add(webhook.webhookId)
        for (const claim of claims) startAttempt(webhook, claim, ending)
      }
    }
  }

  function startAttempt({ webhookId, accountId, lane }: Allotment, claim: Claim, ending: AbortSignal): void {
    const slot: RunningAttempt = { webhookId, accountId, lane, since: clock.now(), isHeld: false }
    const hold = (waiting: Promise<unknown>) => holdBack(slot, waiting)
    const delivering = tracer
      ? tracer.client(`deliver ${claim.kind}`, (span) => deliver(claim, ending, hold, span))
      : deliver(claim, ending, hold)
    const ended = delivering
      .catch((error: unknown) =>
        log.error({ err: error, delivery: claim.deliveryId, webhook: webhookId }, causeOf(error)),
      )
      .finally(() => {
        running.delete(slot)
        capacityLeft()
      })
    running.set(slot, ended)
  }

  /** Waits, and leaves the capacity of the attempt to others meanwhile. */
  async function holdBack(slot: RunningAttempt, waiting: Promise<unknown>): Promise<void> {
    slot.isHeld = true
    capacityLeft()
    await waiting
    slot.isHeld = false
    slot.since = clock.now()
  }

  /** Makes one attempt and records its outcome. If it is not made, nothing is recorded and the claim is released. */
  async function deliver(claim: Claim, ending: AbortSignal, hold: Hold, span?: Span): Promise<void> {
    const at = clock.now()
    const outcome = await attempt(deps, claim, ending, hold, span)
    if (outcome) await settlements.settle({ claim, at, outcome, random: jitter() })
  }

  return { startDue, running, settling: settlements.waiting }
}

/** A claim that is not settled ends after its lease, and the delivery is due again. */
const causeOf = (error: unknown): string =>
  error instanceof DamagedRecord ? "delivery waits for the repair of its webhook" : "attempt could not be recorded"

async function readDue(store: Database, now: number, passed: ReadonlySet<number>): Promise<Record<Lane, Due[]>> {
  const [quick = [], fresh = [], slow = []] = await Promise.all(
    lanes.map(async (lane) =>
      (await store.deliveries.due(lane, now, dueAtOnce)).filter(({ webhookId }) => !passed.has(webhookId)),
    ),
  )
  return { quick, new: fresh, slow }
}

const claimAll = (store: Database, allotted: readonly Allotment[], now: number): Promise<[Allotment, Claim[]][]> =>
  store.transaction(async (tx) => {
    const claims: [Allotment, Claim[]][] = []
    for (const webhook of allotted)
      claims.push([webhook, await tx.deliveries.claim(webhook.webhookId, webhook.count, now, now + leaseMs)])
    return claims
  })
