import type { Part } from "../context.ts"
import type { StoredWebhook } from "./model.ts"

/** The webhook, when the caller's account has it; somebody else's is refused exactly as one that is not there. */
export const requireWebhook = (
  { refuse }: Part<never, "webhook-not-found">,
  webhook: StoredWebhook | undefined,
): StoredWebhook => webhook ?? refuse("webhook-not-found", "Webhook not found")
