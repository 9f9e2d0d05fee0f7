import { created } from "../../../kernel/created.ts"
import type { Operation } from "../../context.ts"
import { lockWebhook } from "../require-webhook.ts"
import type { Delivery, deliveries } from "./contract.ts"
import { sendTest } from "./send-test.ts"

export const testWebhook: Operation<typeof deliveries.testWebhook> = (ctx, { params }) =>
  ctx.store.transaction(async (tx) => {
    const webhook = await lockWebhook(ctx, tx, params.webhookId)

    const id = await sendTest(tx, webhook, ctx.clock.now())
    const delivery = (await tx.deliveries.read(id, webhook.id)) as Delivery
    return created(delivery, `/webhooks/${webhook.id}/deliveries/${id}`)
  })
