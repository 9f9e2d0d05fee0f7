import type { Operations } from "../../context.ts"
import type { consents } from "./contract.ts"
import { endConsent } from "./end.ts"
import { listConsents } from "./list.ts"

export const consentOperations: Operations<typeof consents> = { listConsents, endConsent }
