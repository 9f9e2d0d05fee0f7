import { accountOperations } from "./accounts/operations.ts"
import type { Api } from "./api.ts"
import { consentOperations } from "./consents/operations.ts"
import { deliveryOperations } from "./deliveries/operations.ts"
import { eventOperations } from "./events/operations.ts"
import { imageOperations } from "./images/operations.ts"
import { keyOperations } from "./keys/operations.ts"
import { oauthOperations } from "./oauth/operations.ts"
import type { Operations } from "./operation.ts"
import { orderOperations } from "./orders/operations.ts"
import { petOperations } from "./pets/operations.ts"
import { sessionOperations } from "./sessions/operations.ts"
import { userOperations } from "./users/operations.ts"
import { webhookOperations } from "./webhooks/operations.ts"

export const operations: Operations<Api> = {
  ...petOperations,
  ...orderOperations,
  ...imageOperations,
  ...userOperations,
  ...sessionOperations,
  ...oauthOperations,
  ...consentOperations,
  ...accountOperations,
  ...keyOperations,
  ...webhookOperations,
  ...deliveryOperations,
  ...eventOperations,
}
