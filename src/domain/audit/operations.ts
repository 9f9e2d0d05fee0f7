import type { Operations } from "../context.ts"
import type { audit } from "./contract.ts"
import { listAudit } from "./list.ts"

export const auditOperations: Operations<typeof audit> = { listAudit }
