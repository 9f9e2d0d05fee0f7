import type { Operations } from "../context.ts"
import type { events } from "./contract.ts"
import { listEvents } from "./list.ts"
import { streamEvents } from "./stream.ts"

export const eventOperations: Operations<typeof events> = { listEvents, streamEvents }
