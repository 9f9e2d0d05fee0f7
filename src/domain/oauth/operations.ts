import type { Operations } from "../context.ts"
import type { oauth } from "./contract.ts"
import { createOAuthClient } from "./create.ts"
import { listOAuthClients } from "./list.ts"
import { getOAuthClient } from "./read.ts"
import { deleteOAuthClient } from "./remove.ts"
import { rotateOAuthClientSecret } from "./rotate-secret.ts"
import { updateOAuthClient } from "./update.ts"

export const oauthOperations: Operations<typeof oauth> = {
  createOAuthClient,
  listOAuthClients,
  getOAuthClient,
  updateOAuthClient,
  deleteOAuthClient,
  rotateOAuthClientSecret,
}
