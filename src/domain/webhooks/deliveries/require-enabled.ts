import type { Part } from "../../context.ts"
import type { StoredWebhook } from "../model.ts"

/** Retries are for webhooks that are sent something sooner or later. */
export function requireEnabled({ refuse }: Part<never, "webhook-disabled">, { status }: StoredWebhook): void {
  if (status === "disabled" || status === "testing")
    refuse("webhook-disabled", "The webhook is disabled; set its status to active first, which starts with a test")
}
