import type { Invalidation, Signal } from "../domain/ports/signals.ts"

/** In one process no signal gets lost. */
const maxDelayMs = 60_000

export function memorySignals(): Invalidation {
  const listeners = new Set<(signal: Signal) => void>()
  return {
    maxDelayMs,
    async announce(signal) {
      for (const listener of listeners) listener(signal)
    },
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
