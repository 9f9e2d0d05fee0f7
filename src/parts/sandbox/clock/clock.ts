import type { Clock } from "../../../core/kernel/clock.ts"
import type { ClockStart } from "../model.ts"
import { type ClockHand, handAt, movableClock } from "./movable-clock.ts"

type Hands = readonly [clock: ClockHand, steady: ClockHand]

/** Where both clocks are, by default at the start, and where a reset returns them to. */
export type ClocksState = { start: ClockStart; hands?: Hands }

/** The clocks of a sandbox: those of the process, moved by as much as they were advanced, or frozen. */
export type SandboxClocks = {
  clock: Required<Clock>
  steady: Required<Clock>
  /** Negative when it is behind. */
  aheadMs(): number
  advance(ms: number): void
  setFrozen(isFrozen: boolean): void
  state(): ClocksState
  /** Returns to the time at which the sandbox started, unless the work fails. */
  fromStart<T>(work: () => Promise<T>): Promise<T>
}

/** `steady` is the monotonic clock; both move together, and with a start date they are equal. */
export function sandboxClocks(
  real: { clock: Clock; steady: Clock },
  { start, hands = startHands(real, start) }: ClocksState,
): SandboxClocks {
  const [clock, steady] = [movableClock(real.clock, hands[0]), movableClock(real.steady, hands[1])]
  const handsNow = (): Hands => [clock.hand(), steady.hand()]
  const setHands = (set: Hands) => {
    clock.set(set[0])
    steady.set(set[1])
  }
  return {
    clock,
    steady,
    aheadMs: clock.aheadMs,
    advance(ms) {
      clock.advance(ms)
      steady.advance(ms)
    },
    setFrozen(isFrozen) {
      clock.setFrozen(isFrozen)
      steady.setFrozen(isFrozen)
    },
    state: () => ({ start, hands: handsNow() }),
    async fromStart(work) {
      const before = handsNow()
      setHands(startHands(real, start))
      try {
        return await work()
      } catch (error) {
        setHands(before)
        throw error
      }
    },
  }
}

const startHands = (real: { clock: Clock; steady: Clock }, start: ClockStart): Hands => [
  handAt(real.clock, start),
  handAt(real.steady, start),
]
