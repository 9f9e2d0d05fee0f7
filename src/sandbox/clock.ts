import type { Clock } from "../kernel/clock.ts"

/** The clocks of a sandbox: those of the process, ahead by as much as they were advanced. */
export type SandboxClocks = {
  clock: Clock
  steady: Clock
  aheadMs(): number
  advance(ms: number): void
  /** Returns to real time, unless the work fails. */
  inRealTime<T>(work: () => Promise<T>): Promise<T>
}

/** `steady` is the monotonic clock; both advance together. */
export function sandboxClocks(real: { clock: Clock; steady: Clock }, startAheadMs = 0): SandboxClocks {
  let aheadMs = startAheadMs
  return {
    clock: { now: () => real.clock.now() + aheadMs },
    steady: { now: () => real.steady.now() + aheadMs },
    aheadMs: () => aheadMs,
    advance(ms) {
      aheadMs += ms
    },
    async inRealTime(work) {
      const before = aheadMs
      aheadMs = 0
      try {
        return await work()
      } catch (error) {
        aheadMs = before
        throw error
      }
    },
  }
}
