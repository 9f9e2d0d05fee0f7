import type { Sealing } from "../domain/ports/sealing.ts"
import type { Clock } from "../kernel/clock.ts"

/** A sealing whose key can be replaced while it is used. */
export type RotatableSealing = Sealing & {
  /** Seals everything there is under a new key; returns how many secrets that were. Throws CannotStart when the key is a setting. */
  rotate(clock: Clock): Promise<number>
}

/** Seals everything anew. `adopt` makes the sealing use the new key and returns how to undo that. */
export type Rotate = (clock: Clock, current: Sealing, adopt: (next: Sealing) => () => void) => Promise<number>

/** Seals under the newest key. It opens under those before, too: who has read something sealed may open it a moment later. */
export function rotatableSealing(first: Sealing, rotate: Rotate): RotatableSealing {
  let sealings: readonly Sealing[] = [first]
  const newest = () => sealings[0] as Sealing
  let rotating: Promise<unknown> = Promise.resolve()

  function adopt(next: Sealing): () => void {
    const before = sealings
    sealings = [next, ...before]
    return () => {
      sealings = before
    }
  }

  return {
    seal: (plain, purpose) => newest().seal(plain, purpose),
    open: (sealed, purpose) => openWithAny(sealings, { sealed, purpose }),
    rotate(clock) {
      const turn = rotating.then(() => rotate(clock, newest(), adopt))
      rotating = turn.catch(() => {})
      return turn
    },
  }
}

/** Opens what was sealed under any of these keys. */
export const openerOf = (...sealings: Sealing[]): Pick<Sealing, "open"> => ({
  open: (sealed, purpose) => openWithAny(sealings, { sealed, purpose }),
})

/** Opens with whichever fits; throws SealBroken when none does. */
function openWithAny(sealings: readonly Sealing[], { sealed, purpose }: Sample): string {
  const fitting = sealings.find((sealing) => opens(sealing, [{ sealed, purpose }]))
  return (fitting ?? (sealings[0] as Sealing)).open(sealed, purpose)
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
