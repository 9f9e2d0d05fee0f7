import type { Repositories } from "../../ports/store.ts"
import { afterAttempt } from "../rules.ts"
import type { Outcome } from "./model.ts"
import { isGivenUp, progressAfter } from "./rules.ts"
import type { Claim } from "./store.ts"

/** Records the outcome of an attempt and the webhook's health; emits an event when it was the last one, and when it disables the webhook. */
export async function settleDelivery(tx: Repositories, claim: Claim, outcome: Outcome, random: number): Promise<void> {
  const progress = progressAfter(claim, outcome, random)
  const isKept = await tx.deliveries.settle(claim, outcome, progress)

  const webhook = await tx.webhooks.lock(claim.webhookId)
  if (webhook === undefined) return
  if (isKept && isGivenUp(claim, progress)) {
    const { deliveryId: id, webhookId, eventId, kind: event } = claim
    await tx.events.add("delivery.failed", { id, webhookId, eventId, event }, outcome.at, webhook.accountId)
  }
  const changed = afterAttempt(webhook, claim.isTest, outcome)
  if (changed.status === webhook.status) return tx.webhooks.putHealth(changed)
  await tx.webhooks.put(changed)
  if (changed.status !== "disabled" || webhook.status === "disabled") return
  const { id, url, disabledReason: reason = "failing" } = changed
  await tx.events.add("webhook.disabled", { id, url, reason }, outcome.at, webhook.accountId)
  const entry = {
    principal: "service",
    action: "webhook.disabled",
    thing: `webhook:${id}`,
    details: { reason },
  } as const
  await tx.audit.append([entry], outcome.at)
}
