import type { VerbOf } from "../../../core/domain/context.ts"
import { timeIn, timestamp } from "../../../core/kernel/clock.ts"
import { durationMs } from "../../../core/kernel/duration.ts"
import { at } from "../../../core/kernel/problem.ts"
import type { sandbox } from "../contract.ts"
import type { SandboxTime } from "../model.ts"
import { ofNamed, startBounds } from "../named/bounds.ts"

const advancing =
  "An advance of the clock waits for the response of a webhook, whose receiver may have sent this request. Advance after it has ended"

/** `time` is undefined for the service's own sandbox. */
export function clockVerbs(time: SandboxTime | undefined) {
  const getClock: VerbOf<typeof sandbox.getClock> = ({ clock }) =>
    time?.read() ?? { time: timestamp(clock.now()), aheadSeconds: 0, frozen: false }

  const advanceClock: VerbOf<typeof sandbox.advanceClock> = async (ctx, { body: { advance, to, freeze } }) => {
    if (!time) return ctx.refuse("named-sandbox-required", ofNamed)
    if (advance !== undefined ? to !== undefined : to === undefined && freeze === undefined)
      return ctx.refuse(
        "invalid-body",
        at("", "wrong-form", "must have advance, to or freeze, and not both advance and to"),
      )
    const advanced = await time.advance((now) => {
      const target = to === undefined ? now + durationMs(advance ?? "PT0S") : timeIn(to)
      const pointer = to === undefined ? "/advance" : "/to"
      if (target < now)
        ctx.refuse("invalid-body", at(pointer, "too-small", "must not be before the time in the sandbox"))
      if (target > startBounds.max)
        ctx.refuse("invalid-body", at(pointer, "too-large", "must lead to a time before the year 2100"))
      return target
    }, freeze)
    return advanced ?? ctx.refuse("clock-advancing", advancing)
  }

  return { getClock, advanceClock }
}
