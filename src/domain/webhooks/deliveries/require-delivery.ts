import type { Part } from "../../context.ts"
import type { StoredWebhook } from "../model.ts"
import type { Delivery } from "./contract.ts"

/** The delivery, when it is one of the webhook's. */
export const requireDelivery = (
  { refuse }: Part<never, "delivery-not-found">,
  delivery: Delivery | undefined,
): Delivery => delivery ?? refuse("delivery-not-found", "Delivery not found")

/** Retries are for webhooks that are sent something sooner or later. */
export function requireEnabled({ refuse }: Part<never, "webhook-disabled">, { status }: StoredWebhook): void {
  if (status === "disabled" || status === "testing")
    refuse("webhook-disabled", "The webhook is disabled; set its status to active first, which starts with a test")
}
