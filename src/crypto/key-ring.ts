import type { Sealing } from "../domain/ports/sealing.ts"

/** A sealing under several keys, the newest first: it seals under that one and opens under each. */
export type KeyRing = Sealing & {
  newest(): Sealing
  /** Seals under this key from now on; returns how to undo that. */
  add(next: Sealing): () => void
}

/** The keys before the newest remain: a caller that has read something sealed may open it a moment later. */
export function keyRing(...given: [Sealing, ...Sealing[]]): KeyRing {
  let sealings = given
  return {
    newest: () => sealings[0],
    seal: (plain, purpose) => sealings[0].seal(plain, purpose),
    open(sealed, purpose) {
      const fitting = sealings.find((sealing) => opens(sealing, [{ sealed, purpose }]))
      return (fitting ?? sealings[0]).open(sealed, purpose)
    },
    add(next) {
      const before = sealings
      sealings = [next, ...before]
      return () => {
        sealings = before
      }
    },
  }
}

/** Something sealed, and for what. */
export type Sample = { sealed: string; purpose: string }

/** Whether all of these were sealed under this key. */
export function opens(sealing: Sealing, samples: readonly Sample[]): boolean {
  try {
    for (const { sealed, purpose } of samples) sealing.open(sealed, purpose)
    return true
  } catch {
    return false
  }
}
