import { created } from "../../../kernel/endpoint/json-response.ts"
import type { Verb } from "../../context.ts"
import type { Delivery } from "./contract.ts"
import { sendTest } from "./send-test.ts"

export const testWebhook: Verb<"testWebhook"> = (ctx, { params }) =>
  ctx.store.transaction(async (tx) => {
    const webhook = (await tx.webhooks.lock(params.webhookId, ctx.caller.account.id)) ?? ctx.refuse("webhook-not-found")

    const id = await sendTest(tx, webhook, ctx.clock.now())
    const delivery = (await tx.deliveries.read(id, webhook.id)) as Delivery
    return created(delivery, `/webhooks/${webhook.id}/deliveries/${id}`)
  })
