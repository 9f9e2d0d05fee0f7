import type { Clock } from "../kernel/clock.ts"

/** The clocks of a sandbox: those of the process, ahead by as much as they were advanced. */
export type SandboxClocks = ReturnType<typeof sandboxClocks>

/** `steady` is the monotonic clock; both advance together. */
export function sandboxClocks(real: { clock: Clock; steady: Clock }, startAheadMs = 0) {
  let aheadMs = startAheadMs
  return {
    clock: { now: () => real.clock.now() + aheadMs },
    steady: { now: () => real.steady.now() + aheadMs },
    aheadMs: () => aheadMs,
    advance(ms: number): void {
      aheadMs += ms
    },
    /** Returns to real time, unless the work fails. */
    async inRealTime<T>(work: () => Promise<T>): Promise<T> {
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
