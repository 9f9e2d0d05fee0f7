import type { Clock } from "../../src/core/kernel/clock.ts"

/** A clock that moves only when a test moves it. */
export type ManualClock = Clock & {
  advance(ms: number): void
  /** Moves the wall clock forward or back; `steady` does not change. */
  jump(ms: number): void
  readonly steady: Clock
}

export function manualClock(start = Date.UTC(2026, 0, 1)): ManualClock {
  let time = start
  let jumped = 0
  return {
    now: () => time + jumped,
    advance: (ms) => {
      time += ms
    },
    jump: (ms) => {
      jumped += ms
    },
    steady: { now: () => time },
  }
}
