import type { Clock } from "../../../core/kernel/clock.ts"
import type { SandboxData } from "../files/contract.ts"
import type { ClocksState, SandboxClocks } from "./clock.ts"
import { handAt } from "./movable-clock.ts"

/** The clocks of a sandbox, as a sandbox file has them. */
export function saveClocks({ clock, steady, state }: SandboxClocks): SandboxData["clock"] {
  const { start } = state()
  return {
    time: Math.floor(clock.now()),
    steady: Math.floor(steady.now()),
    frozen: clock.isFrozen(),
    start: start.at ?? null,
    startsFrozen: start.isFrozen,
  }
}

/** The clocks continue at the time of the file, or are frozen there. */
export function restoreClocks(
  real: { clock: Clock; steady: Clock },
  { time, steady, frozen: isFrozen, start, startsFrozen }: SandboxData["clock"],
): ClocksState {
  return {
    start: { at: start ?? undefined, isFrozen: startsFrozen },
    hands: [handAt(real.clock, { at: time, isFrozen }), handAt(real.steady, { at: steady, isFrozen })],
  }
}
