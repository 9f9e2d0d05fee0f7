import { Interrupted } from "../command/command.ts"

/** Repeated signals within this time count as one: the terminal also signals npx, which forwards it. */
const sameSignalMs = 500

/** Aborts on the first signal; a second signal ends the process immediately. */
export function interruptionSignal(): AbortSignal {
  const interruption = new AbortController()
  let abortedAt = 0
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => {
      const interrupted = new Interrupted(signal)
      if (!interruption.signal.aborted) abortedAt = performance.now()
      else if (performance.now() - abortedAt > sameSignalMs) process.exit(interrupted.exitCode)
      interruption.abort(interrupted)
    })
  return interruption.signal
}
