import type { Invalidation, Signal } from "../../domain/ports.ts"

/** Invalidation within one process. */
export function memorySignals(): Invalidation {
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
