import type { TrafficSlot } from "../../kernel/measure.ts"
import type { Readiness } from "../../server/health.ts"
import type { Serving } from "../../server/serving.ts"
import type { serveStore } from "./serve-store.ts"

/** What is needed to run the operations on a store. */
export type StoreOperating = ReturnType<typeof serveStore>["operating"]

/** What pages need to run the operations of the service. */
export type Operating = StoreOperating &
  Pick<Serving, "toProblem"> & {
    requireReady: Readiness
    /** Recent requests to this process, in slots of five minutes. */
    traffic(): readonly TrafficSlot[]
  }
