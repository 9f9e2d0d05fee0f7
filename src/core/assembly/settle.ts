// Decision: docs/decisions/runtime.md#modules-load-once-the-service-is-ready

import { setTimeout as pause } from "node:timers/promises"
import type { Part, Preload } from "./part.ts"
import { returnMemoryAtRest } from "./rest.ts"

/** What waits for the service arrives now, and is not to wait for modules. */
const restMs = 500
/** Loading holds the event loop, so requests have it in between. */
const pauseMs = 50

const ofCore: readonly Preload[] = [
  () => import("../observability/registry.ts"),
  () => import("../workers/delivery/sending/guarded-connector.ts"),
]

/**
 * Loads what the first use of the core and of parts needs, one after the other, until `isOver`. What fails is reported by its first use.
 * From then on memory returns to the system at rest.
 */
export async function settle(parts: readonly Part[], isOver: () => boolean): Promise<void> {
  await pause(restMs, undefined, { ref: false })
  for (const load of [...parts.flatMap(({ preload = [] }) => preload), ...ofCore]) {
    if (isOver()) return
    await load().catch(() => undefined)
    await pause(pauseMs, undefined, { ref: false })
  }
  returnMemoryAtRest()
}
