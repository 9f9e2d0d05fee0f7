import { publishAll } from "../../events/publish.ts"
import type { Repositories } from "../../ports/store.ts"
import type { StoredWebhook } from "../model.ts"

/** Sends a test event to one webhook, once; returns the delivery's id. */
export async function sendTest(tx: Repositories, { id, accountId }: StoredWebhook, at: number): Promise<number> {
  const event = await tx.events.add("webhook.test", { webhookId: id }, at, accountId)
  await publishAll(tx, at)
  return tx.deliveries.addTest(id, event, at)
}
