import type { Repositories } from "../../ports/store.ts"
import type { StoredWebhook } from "../model.ts"
import { afterAttempt } from "../rules.ts"
import type { Outcome } from "./model.ts"
import { isGivenUp, progressAfter } from "./rules.ts"
import type { Claim } from "./store.ts"

/** An attempt that began at this time (ms) and has ended; `random` is in [0, 1). */
export type EndedAttempt = { claim: Claim; at: number; outcome: Outcome | "not made"; random: number }

/**
 * Records the outcomes of attempts at one webhook and its health, and releases the claims of those that were not made. Emits an
 * event for a last attempt that failed, and when the webhook becomes disabled.
 */
export async function settleDeliveries(tx: Repositories, ended: readonly EndedAttempt[]): Promise<void> {
  for (const { claim, at, outcome } of ended) if (outcome === "not made") await tx.deliveries.release(claim, at)
  const settled = ended.flatMap(({ claim, outcome, random }) =>
    outcome === "not made" ? [] : { claim, outcome, progress: progressAfter(claim, outcome, random) },
  )
  const [first] = settled
  if (first === undefined) return
  const kept = await tx.deliveries.settle(settled)

  const webhook = await tx.webhooks.lock(first.claim.webhookId)
  if (webhook === undefined) return
  let changed = webhook
  for (const [n, { claim, outcome, progress }] of settled.entries()) {
    if (kept[n] && isGivenUp(claim, progress)) {
      const { deliveryId: id, webhookId, eventId, kind: event } = claim
      await tx.events.add("delivery.failed", { id, webhookId, eventId, event }, outcome.at, webhook.accountId)
    }
    const { status } = changed
    changed = afterAttempt(changed, claim.isTest, outcome)
    if (changed.status === "disabled" && status !== "disabled") await announceDisabled(tx, changed, outcome.at)
  }
  await (changed.status === webhook.status ? tx.webhooks.putHealth(changed) : tx.webhooks.put(changed))
}

async function announceDisabled(tx: Repositories, webhook: StoredWebhook, at: number): Promise<void> {
  const { id, url, accountId, disabledReason: reason = "failing" } = webhook
  await tx.events.add("webhook.disabled", { id, url, reason }, at, accountId)
  const entry = {
    principal: "service",
    action: "webhook.disabled",
    thing: `webhook:${id}`,
    details: { reason },
  } as const
  await tx.audit.append([entry], at)
}
