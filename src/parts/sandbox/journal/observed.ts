import type { Exchange, Observation, RequestJudgement, Timings } from "../../../core/server/exchange/exchange.ts"

/** How a request was judged, for one that asks for it. */
export type Explanation = RequestJudgement & {
  requiredScope: string | undefined
  /** The name of the schema of the body. */
  schema: string | undefined
  faultRule: object | undefined
  isRecorded: boolean
}

/** What the sandbox keeps of a request besides what the core does. */
export class Observed implements Observation {
  readonly timings: Timings = { auth: undefined, limits: undefined, operation: undefined }
  judgement: Explanation | undefined = undefined
  /** Its number among the recorded requests; undefined where it is not recorded. */
  recordId: number | undefined = undefined
  /** The faults that were made on purpose, in the words of `Prefer`. */
  fault: string | undefined = undefined
  /** Whether it is held before its operation. */
  isHeldBefore = false
  /** How long it was held. */
  heldMs: number | undefined = undefined
}

/** What the sandbox keeps of a request to it. */
export const observedIn = ({ observation }: Pick<Exchange, "observation">): Observed => observation as Observed
