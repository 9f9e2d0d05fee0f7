import type { Signal, Signals } from "../../domain/invalidation.ts"

/** Signals within one process. */
export function memorySignals(): Signals {
  const listeners = new Set<(signal: Signal) => void>()
  return {
    async announce(signal) {
      for (const hear of listeners) hear(signal)
    },
    listen(hear) {
      listeners.add(hear)
      return () => void listeners.delete(hear)
    },
  }
}
