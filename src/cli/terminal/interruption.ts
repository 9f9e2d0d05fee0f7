import { Interrupted } from "../command.ts"

/** A signal that comes again this soon is the same one: a terminal sends it to the launcher, too, which passes it on. */
const sameSignalMs = 500

/** Aborts when this process is asked to end; asked again, the process ends at once. */
export function interruptionSignal(): AbortSignal {
  const interruption = new AbortController()
  let askedAt = 0
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => {
      const interrupted = new Interrupted(signal)
      if (!interruption.signal.aborted) askedAt = performance.now()
      else if (performance.now() - askedAt > sameSignalMs) process.exit(interrupted.exitCode)
      interruption.abort(interrupted)
    })
  return interruption.signal
}
