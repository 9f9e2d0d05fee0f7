import type { DefectId } from "../contract.ts"
import type { Defects } from "../defect.ts"
import { authorizationDefects } from "./authorization.ts"
import { limitDefects } from "./limits.ts"
import { listDefects } from "./lists.ts"
import { responseDefects } from "./responses.ts"
import { stateDefects } from "./state.ts"
import { statusDefects } from "./statuses.ts"
import { webhookDefects } from "./webhooks.ts"

/** Every defect that a sandbox can have. Codes are those of Web Fuzzing Commons (faults.md, 39 categories). */
export const catalogue: Defects<DefectId> = {
  ...responseDefects,
  ...statusDefects,
  ...stateDefects,
  ...authorizationDefects,
  ...listDefects,
  ...limitDefects,
  ...webhookDefects,
}
