import type { Operations } from "../../context.ts"
import type { deliveries } from "./contract.ts"
import { listDeliveries } from "./list.ts"
import { getDelivery } from "./read.ts"
import { retryDelivery } from "./retry.ts"
import { retryFailedDeliveries } from "./retry-failed.ts"
import { testWebhook } from "./test-webhook.ts"

export const deliveryOperations: Operations<typeof deliveries> = {
  testWebhook,
  listDeliveries,
  getDelivery,
  retryDelivery,
  retryFailedDeliveries,
}
