import type { Clock } from "../../core/kernel/clock.ts"
import { Interrupted } from "../command/command.ts"

/** Repeated signals within this time count as one: the terminal also signals npx, which forwards it. */
const sameSignalMs = 500

type Signal = "SIGINT" | "SIGTERM" | "SIGHUP"

/** What receives signals and can be ended: the process. */
type Signalled = { on(signal: Signal, listener: () => void): unknown; exit(code: number): void }

/** Aborts on the first signal; a second signal ends the process immediately. */
export function interruptionSignal(signalled: Signalled, { now }: Clock): AbortSignal {
  const interruption = new AbortController()
  let abortedAt = 0
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    signalled.on(signal, () => {
      const interrupted = new Interrupted(signal)
      if (!interruption.signal.aborted) abortedAt = now()
      else if (now() - abortedAt > sameSignalMs) signalled.exit(interrupted.exitCode)
      interruption.abort(interrupted)
    })
  return interruption.signal
}
