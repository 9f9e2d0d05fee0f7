import { accountOperations } from "./accounts/operations.ts"
import type { Api } from "./api.ts"
import { keyOperations } from "./keys/operations.ts"
import { oauthOperations } from "./oauth/operations.ts"
import type { Operations } from "./operation.ts"
import { orderOperations } from "./orders/operations.ts"
import { petOperations } from "./pets/operations.ts"
import { sessionOperations } from "./sessions/operations.ts"
import { userOperations } from "./users/operations.ts"

export const operations: Operations<Api> = {
  ...petOperations,
  ...orderOperations,
  ...userOperations,
  ...sessionOperations,
  ...oauthOperations,
  ...accountOperations,
  ...keyOperations,
}
