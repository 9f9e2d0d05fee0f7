import type { TrafficSlot } from "../../kernel/measure.ts"
import type { Readiness } from "../server/health.ts"
import type { Serving } from "../server/serving.ts"
import type { serveStore } from "./serve-store.ts"

/** What pages need to run the operations of the service. */
export type Operating = ReturnType<typeof serveStore>["operating"] &
  Pick<Serving, "toProblem"> & {
    requireReady: Readiness
    /** Recent requests to this process, in slots of five minutes. */
    traffic(): readonly TrafficSlot[]
  }
