import type { Sealing } from "../domain/ports/sealing.ts"

/** Several keys: it seals under the newest and opens under each. */
export type KeyRing = Sealing & {
  newest(): Sealing
  /** Seals under this key from now on; returns a function that undoes it. */
  add(next: Sealing): () => void
}

/** Older keys remain, newest first, because a caller may open a secret that it read before the rotation. */
export function keyRing(...sealings: [Sealing, ...Sealing[]]): KeyRing {
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

export type SealedSecret = { sealed: string; purpose: string }

/** Whether this key opens all of these. */
export function opens(sealing: Sealing, samples: readonly SealedSecret[]): boolean {
  try {
    for (const { sealed, purpose } of samples) sealing.open(sealed, purpose)
    return true
  } catch {
    return false
  }
}
