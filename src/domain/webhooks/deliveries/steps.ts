import type { Refuse } from "../../context.ts"
import { publishAll } from "../../events/steps.ts"
import type { Repositories } from "../../ports.ts"
import type { StoredWebhook } from "../contract.ts"
import { afterAttempt } from "../rules.ts"
import type { Delivery, Outcome } from "./contract.ts"
import { standingAfter } from "./rules.ts"
import type { Claim } from "./store.ts"

/** Has a test event sent to one webhook, once; answers the delivery's id. */
export async function sendTest(tx: Repositories, { id, accountId }: StoredWebhook, at: number): Promise<number> {
  const event = await tx.events.add("webhook.test", { webhookId: id }, at, accountId)
  await publishAll(tx, at)
  return tx.deliveries.addTest(id, event, at)
}

type Finding = { refuse: Refuse<"delivery-not-found"> }

export const requireDelivery = async (
  ctx: Finding,
  store: Pick<Repositories, "deliveries">,
  webhook: StoredWebhook,
  id: number,
): Promise<Delivery> =>
  (await store.deliveries.read(id, webhook.id)) ?? ctx.refuse("delivery-not-found", "Delivery not found")

/** Retries are for webhooks that are sent something sooner or later. */
export function requireEnabled({ refuse }: { refuse: Refuse<"webhook-disabled"> }, { status }: StoredWebhook): void {
  if (status === "disabled" || status === "testing")
    refuse("webhook-disabled", "The webhook is disabled; set its status to active first, which starts with a test")
}

/** Records what came of an attempt, moves the webhook's health on, and announces it when that disables the webhook. */
export async function settleDelivery(tx: Repositories, claim: Claim, outcome: Outcome, random: number): Promise<void> {
  await tx.deliveries.settle(claim, outcome, standingAfter(claim, outcome, random))

  const webhook = await tx.webhooks.lock(claim.webhookId)
  if (webhook === undefined) return
  const changed = afterAttempt(webhook, claim.isTest, outcome)
  if (changed.status === webhook.status) return tx.webhooks.putHealth(changed)
  await tx.webhooks.put(changed)
  if (changed.status !== "disabled" || webhook.status === "disabled") return
  const { id, url, disabledReason: reason = "failing" } = changed
  await tx.events.add("webhook.disabled", { id, url, reason }, outcome.at, webhook.accountId)
}
