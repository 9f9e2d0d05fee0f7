import { accountOperations } from "./accounts/operations.ts"
import type { Api } from "./api.ts"
import { auditOperations } from "./audit/operations.ts"
import type { Operations } from "./context.ts"
import { eventOperations } from "./events/operations.ts"
import { imageOperations } from "./images/operations.ts"
import { keyOperations } from "./keys/operations.ts"
import { consentOperations } from "./oauth/consents/operations.ts"
import { oauthOperations } from "./oauth/operations.ts"
import { orderOperations } from "./orders/operations.ts"
import { petOperations } from "./pets/operations.ts"
import { petSearchOperations } from "./pets/search/operations.ts"
import { userOperations } from "./users/operations.ts"
import { sessionOperations } from "./users/sessions/operations.ts"
import { deliveryOperations } from "./webhooks/deliveries/operations.ts"
import { webhookOperations } from "./webhooks/operations.ts"

export const operations: Operations<Api> = {
  ...petOperations,
  ...petSearchOperations,
  ...orderOperations,
  ...imageOperations,
  ...userOperations,
  ...sessionOperations,
  ...oauthOperations,
  ...consentOperations,
  ...accountOperations,
  ...keyOperations,
  ...auditOperations,
  ...webhookOperations,
  ...deliveryOperations,
  ...eventOperations,
}
