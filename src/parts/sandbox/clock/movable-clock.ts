import type { Clock } from "../../../core/kernel/clock.ts"
import type { ClockStart } from "../model.ts"

/** How far a clock is ahead of the real one, or the time at which it is frozen. */
export type ClockHand = { aheadMs: number } | { frozenAt: number }

/** The hand of a clock that starts at this time. */
export function handAt(real: Clock, { at, isFrozen }: ClockStart): ClockHand {
  if (isFrozen) return { frozenAt: at ?? real.now() }
  return { aheadMs: at === undefined ? 0 : at - real.now() }
}

/** A clock that follows the real one at a distance, or is frozen. */
export function movableClock(real: Clock, start: ClockHand) {
  let aheadMs = 0
  let frozenAt: number | undefined
  const now = () => frozenAt ?? real.now() + aheadMs

  function set(hand: ClockHand): void {
    frozenAt = "frozenAt" in hand ? hand.frozenAt : undefined
    aheadMs = "aheadMs" in hand ? hand.aheadMs : 0
  }

  set(start)
  return {
    now,
    isFrozen: () => frozenAt !== undefined,
    /** Negative when it is behind. */
    aheadMs: (): number => (frozenAt === undefined ? aheadMs : frozenAt - real.now()),
    hand: (): ClockHand => (frozenAt === undefined ? { aheadMs } : { frozenAt }),
    set,
    advance(ms: number): void {
      if (frozenAt === undefined) aheadMs += ms
      else frozenAt += ms
    },
    /** Freezes the time, or lets it run on from there. */
    setFrozen(isFrozen: boolean): void {
      if (isFrozen !== (frozenAt !== undefined)) set(handAt(real, { at: now(), isFrozen }))
    },
  }
}
