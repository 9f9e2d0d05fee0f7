import type { Operations } from "../context.ts"
import type { webhooks } from "./contract.ts"
import { createWebhook } from "./create.ts"
import { listWebhooks } from "./list.ts"
import { getWebhook } from "./read.ts"
import { deleteWebhook } from "./remove.ts"
import { rotateWebhookSecret } from "./rotate-secret.ts"
import { updateWebhook } from "./update.ts"

export const webhookOperations: Operations<typeof webhooks> = {
  createWebhook,
  listWebhooks,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
}
