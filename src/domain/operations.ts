import type { Api } from "./api.ts"
import type { Operations } from "./operation.ts"
import { petOperations } from "./pets/operations.ts"

export const operations: Operations<Api> = { ...petOperations }
