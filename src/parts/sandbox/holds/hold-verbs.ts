import type { VerbOf } from "../../../core/domain/context.ts"
import { durationMs } from "../../../core/kernel/duration.ts"
import { inParameter } from "../../../core/kernel/problem.ts"
import type { sandbox } from "../contract.ts"
import type { Delays } from "../faults/delayed-responses.ts"
import { repeatUntil, waitMsMax, waitTooLong } from "../journal/repeat-until.ts"
import type { Holds } from "./holds.ts"

/** `waits` bounds and ends the waits for requests. */
export function holdVerbs(holds: Pick<Holds, "list" | "release" | "listen">, waits: Pick<Delays, "enter" | "pause">) {
  const listHolds: VerbOf<typeof sandbox.listHolds> = (ctx, { query: { within, atLeast = 1 } }) => {
    const { caller, address, response } = ctx
    if (within === undefined || !response) return holds.list()
    const ms = durationMs(within)
    if (ms > waitMsMax) return ctx.refuse("invalid-parameter", inParameter("within", "too-large", waitTooLong))
    waits.enter({ caller, address, response })
    return repeatUntil(waits.pause({ response }, ms), holds.listen, async () => {
      const value = holds.list()
      return { value, isFinal: value.length >= atLeast }
    })
  }

  const releaseHold: VerbOf<typeof sandbox.releaseHold> = (ctx, { params: { id } }) =>
    holds.release(id)
      ? { code: 200, type: "success", message: `Request ${id} continues` }
      : ctx.refuse("hold-not-found")

  return { listHolds, releaseHold }
}
