import type { Invalidation, Signal } from "../../domain/ports/signals.ts"

/** How long a signal that never arrived could matter, though in one process none gets lost. */
const unheardMsMax = 60_000

/** Invalidation within one process. */
export function memorySignals(): Invalidation {
  const listeners = new Set<(signal: Signal) => void>()
  return {
    unheardMsMax,
    async announce(signal) {
      for (const hear of listeners) hear(signal)
    },
    listen(hear) {
      listeners.add(hear)
      return () => void listeners.delete(hear)
    },
  }
}
