import type { Part } from "../context.ts"
import type { Repositories } from "../ports/store.ts"
import type { StoredWebhook } from "./model.ts"

/** The caller's webhook; somebody else's is refused exactly as one that is not there. */
export const requireWebhook = async (
  ctx: Part<"caller", "webhook-not-found">,
  store: Pick<Repositories, "webhooks">,
  id: number,
): Promise<StoredWebhook> =>
  (await store.webhooks.read(id, ctx.caller.account.id)) ?? ctx.refuse("webhook-not-found", "Webhook not found")

/** Like `requireWebhook`, and locked until the transaction ends. */
export const lockWebhook = async (
  ctx: Part<"caller", "webhook-not-found">,
  tx: Repositories,
  id: number,
): Promise<StoredWebhook> =>
  (await tx.webhooks.lock(id, ctx.caller.account.id)) ?? ctx.refuse("webhook-not-found", "Webhook not found")
