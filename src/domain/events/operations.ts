import type { Operations } from "../context.ts"
import type { events } from "./contract.ts"
import { listEvents } from "./list.ts"

export const eventOperations: Operations<typeof events> = { listEvents }
